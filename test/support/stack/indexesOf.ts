import { EJSON } from 'bson';
import mongoose from 'mongoose';
import { duringCommands } from './duringCommands.ts';

/** A read, and the indexes that the database uses for it. */
export interface ReadPlan {
  /** Name of the command, as in `find listings`. */
  command: string;
  indexes: string[];
  /** Whether the database sorts the results, because no index has the sort order. */
  sorts: boolean;
}

/** Index that reads of a collection must use. */
interface Hint {
  readonly collection: string;
  readonly index: string;
}

const reads: ReadonlySet<string> = new Set(['find', 'aggregate']);
/** Members of a command that belong to its session, not to its meaning. */
const ofSession: ReadonlySet<string> = new Set([
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  '$db',
  '$clusterTime',
  'maxTimeMS',
]);

/**
 * Runs `work` and requests the query plan of each of its reads, except change streams.
 *
 * @param hint name of the index that reads of a collection must use, because with few records an engine can read all of
 *   them
 */
export async function indexesOf(work: () => Promise<unknown>, hint?: Hint): Promise<ReadPlan[]> {
  const commands: Record<string, unknown>[] = [];
  await duringCommands(({ commandName, command }) => {
    if (reads.has(commandName) && !JSON.stringify(command).includes('$changeStream'))
      commands.push({ ...command });
  }, work);
  // Equal reads have one plan.
  const plans = new Map<string, Promise<ReadPlan>>();
  const planOf = (command: Record<string, unknown>): Promise<ReadPlan> => {
    const plain = Object.fromEntries(Object.entries(command).filter(([member]) => !ofSession.has(member)));
    const key = EJSON.stringify(plain);
    const plan = plans.get(key) ?? explain(plain, hint);
    plans.set(key, plan);
    return plan;
  };
  return Promise.all(commands.map(planOf));
}

async function explain(command: Record<string, unknown>, hint?: Hint): Promise<ReadPlan> {
  const [name, collection] = Object.entries(command)[0] ?? [];
  const explained = await mongoose.connection.db?.command({
    explain: { ...command, ...(hint?.collection === collection && { hint: hint?.index }) },
    verbosity: 'queryPlanner',
  });
  return {
    command: `${name} ${String(collection)}`,
    indexes: [...new Set(namesIn(explained))],
    sorts: isSorted(explained),
  };
}

/** Whether a plan has a sort step. Rejected plans are ignored. */
function isSorted(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null) return false;
  return Object.entries(plan).some(([member, value]) =>
    member === 'stage' ? String(value).startsWith('SORT') : member !== 'rejectedPlans' && isSorted(value),
  );
}

/** Names of all indexes in a plan of any engine. Rejected plans are ignored. */
export function* namesIn(plan: unknown): Generator<string> {
  if (typeof plan !== 'object' || plan === null) return;
  for (const [member, value] of Object.entries(plan)) {
    if (member === 'rejectedPlans') continue;
    if (member === 'indexName' && typeof value === 'string') yield value;
    else yield* namesIn(value);
  }
}
