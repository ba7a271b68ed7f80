import mongoose from 'mongoose';
import { duringCommands } from '../../support/stack/duringCommands.ts';

/** A read command of the database. */
interface Read {
  readonly collection: string;
  readonly filter: Filter;
  /** Keys of its sort order. Empty if it has none or reads all records. */
  readonly order: readonly Key[];
}
type Filter = Readonly<Record<string, unknown>>;
type Key = readonly [field: string, direction: number];
interface Index {
  readonly keys: readonly Key[];
  readonly unique: boolean;
}

/**
 * Lists the reads of `work` without a suitable index. A page needs an index with the fields of its filter, followed by its
 * sort order. Other reads need an index that begins with fields of the filter. The indexes are examined instead of query
 * plans, because with few records an engine can read and sort all of them.
 */
export async function readsWithoutIndex(work: () => Promise<unknown>): Promise<string[]> {
  const reads: Read[] = [];
  await duringCommands(({ commandName, command }) => {
    const read = toRead(commandName, command);
    if (read) reads.push(read);
  }, work);
  const found: string[] = [];
  for (const read of reads) {
    const known = await indexesIn(read.collection);
    if (!branchesOf(read.filter).every((filter) => known.some((index) => answers(index, filter, read.order))))
      found.push(`${read.collection} ${JSON.stringify(read.filter)} by ${JSON.stringify(read.order)}`);
  }
  return found;
}

const indexes = new Map<string, Promise<Index[]>>();

/** The indexes of a collection, cached. */
function indexesIn(collection: string): Promise<Index[]> {
  const known = indexes.get(collection) ?? listIndexes(collection);
  indexes.set(collection, known);
  return known;
}

async function listIndexes(collection: string): Promise<Index[]> {
  const listed = await mongoose.connection.collection(collection).indexes();
  return listed.map(({ key, unique = false }) => ({
    keys: Object.entries(key as Record<string, number>),
    unique,
  }));
}

function toRead(name: string, command: Record<string, any>): Read | null {
  if (name === 'find') {
    const { find: collection, filter = {}, sort = {}, limit } = command;
    const keys = sort instanceof Map ? [...sort] : Object.entries<number>(sort);
    return { collection, filter, order: limit === undefined ? [] : keys };
  }
  if (name !== 'aggregate') return null;
  const [first = {}] = command.pipeline;
  return '$changeStream' in first
    ? null
    : { collection: command.aggregate, filter: first.$match ?? {}, order: [] };
}

/** The filter for each branch of its `$or`, with the members of its `$and` merged. */
function branchesOf(filter: Filter): Filter[] {
  const { $and = [], $or, ...rest } = filter as { $and?: Filter[]; $or?: Filter[] };
  const merged = $and.reduce<Filter[]>(
    (branches, member) =>
      branches.flatMap((branch) => branchesOf(member).map((one) => ({ ...branch, ...one }))),
    [rest],
  );
  if (!$or) return merged;
  return merged.flatMap((branch) =>
    $or.flatMap((member) => branchesOf(member).map((one) => ({ ...branch, ...one }))),
  );
}

/** Fields for which a filter has one or several values. */
function statedIn(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([field, condition]) => {
    const operators = typeof condition === 'object' && condition !== null ? Object.keys(condition) : [];
    const isStated = operators.every((operator) => !operator.startsWith('$') || operator === '$in');
    return isStated ? [field] : [];
  });
}

function answers({ keys, unique }: Index, filter: Filter, order: readonly Key[]): boolean {
  const stated = new Set(statedIn(filter));
  const begin = keys.findIndex(([field]) => !stated.has(field));
  const leading = keys.slice(0, begin === -1 ? keys.length : begin).map(([field]) => field);
  const ids = [...stated].filter((field) => isId.test(field) && field !== 'installationId');
  if (ids.length > 0 && !ids.some((field) => leading.includes(field))) return false;
  if (order.length > 0) return continues(keys.slice(leading.length), order, unique);
  const further = Object.keys(filter).filter((field) => field !== 'installationId');
  return further.length === 0 || keys.slice(0, leading.length + 1).some(([field]) => further.includes(field));
}

/** Fields with ids. An index without them reads the records of all owners. */
const isId = /(?:^_|[iI])d$|\.party$/;

/** Whether an index continues in a sort order, in either direction. After all keys of a unique index, no order is needed. */
function continues(rest: readonly Key[], order: readonly Key[], unique: boolean): boolean {
  return [1, -1].some((way) =>
    order.every(([field, direction], at) => {
      const key = rest[at];
      return key ? key[0] === field && key[1] === direction * way : unique && at > 0;
    }),
  );
}
