import { globalCollections } from '../../../subgraphs/platform/mongo/globalCollections.ts';
import { duringCommands } from './duringCommands.ts';

/** Comment of commands that belong to a test, which may read all shards. */
export const ofTests = 'test';

type Document = Readonly<Record<string, any>>;

/**
 * Lists the commands of `work` that a sharded cluster would send to every shard, because they do not state the shard key,
 * `installationId`. The commands are judged by their shape: no sharded cluster runs here.
 */
export async function scatteredCommands(work: () => Promise<unknown>): Promise<string[]> {
  const found = new Set<string>();
  let judged = 0;
  await duringCommands(({ commandName, command }) => {
    const filters = filtersOf(commandName, command);
    if (filters === null || command.comment === ofTests || isOfRelay(command)) return;
    judged += 1;
    for (const [collection, filter] of filters)
      if (!isUnsharded(collection) && !statesKey(filter)) found.add(`${commandName} ${collection}`);
  }, work);
  if (judged === 0) throw new Error('No command was judged.');
  return [...found].sort();
}

/** Relays read what they have to publish from all shards, in the background. */
function isOfRelay({ find, filter = {} }: Document): boolean {
  return find !== undefined && 'outbox.at' in filter;
}

/** Collections and filters of a command; null for a command that addresses no records. */
function filtersOf(name: string, command: Document): [collection: string, filter: Document][] | null {
  const collection = String(command[name]);
  switch (name) {
    case 'find':
      return [[collection, command.filter ?? {}]];
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [[collection, command.query ?? {}]];
    case 'update':
      return command.updates.map(({ q }: Document) => [collection, q]);
    case 'delete':
      return command.deletes.map(({ q }: Document) => [collection, q]);
    case 'insert':
      return command.documents.map((document: Document) => [collection, document]);
    case 'aggregate':
      return filtersOfPipeline(collection, command.pipeline);
    default:
      return null;
  }
}

/** The filter of a pipeline, and of each collection that it looks up. Change streams reach all shards by their nature. */
function filtersOfPipeline(
  collection: string,
  pipeline: readonly Document[],
): [collection: string, filter: Document][] {
  const [first = {}] = pipeline;
  if ('$changeStream' in first) return [];
  const joined = pipeline.flatMap(({ $lookup }) =>
    $lookup ? filtersOfPipeline($lookup.from, $lookup.pipeline ?? []) : [],
  );
  return [[collection, first.$match ?? first.$geoNear?.query ?? {}], ...joined];
}

function isUnsharded(collection: string): boolean {
  return globalCollections.has(collection) || collection.startsWith('stored_files.');
}

/** Whether a filter has a value, or a list of values, for the shard key in every branch. */
function statesKey(filter: Document): boolean {
  const { installationId, $and = [], $or } = filter;
  if (typeof installationId === 'string' || Array.isArray(installationId?.$in)) return true;
  if (typeof installationId?.$eq === 'string' || $and.some(statesKey)) return true;
  return Array.isArray($or) && $or.every(statesKey);
}
