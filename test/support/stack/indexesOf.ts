import { EJSON } from 'bson';
import mongoose from 'mongoose';

/** A read that was run, and the indexes that the database would answer it with. */
export interface ReadPlan {
  /** As `find listings`. */
  command: string;
  indexes: string[];
  /** Whether the database would sort what it has found, because no index gives it in the order that is wanted. */
  sorts: boolean;
}

/** Index that reads of a collection have to take. */
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
 * Runs `work` and asks the database how it answers each of its reads; change streams are left out.
 *
 * @param hint name of the index that reads of a collection have to take: of few records an engine reads all, whatever it
 *   does with many
 */
export async function indexesOf(work: () => Promise<unknown>, hint?: Hint): Promise<ReadPlan[]> {
  const commands: Record<string, unknown>[] = [];
  const listen = ({ commandName, command }: mongoose.mongo.CommandStartedEvent): void => {
    if (reads.has(commandName) && !JSON.stringify(command).includes('$changeStream'))
      commands.push({ ...command });
  };
  const client = mongoose.connection.getClient();
  client.on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.off('commandStarted', listen);
  }
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

/** Whether a plan has a step that sorts; plans that lost are not looked at. */
function isSorted(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null) return false;
  return Object.entries(plan).some(([member, value]) =>
    member === 'stage' ? String(value).startsWith('SORT') : member !== 'rejectedPlans' && isSorted(value),
  );
}

/** Names of indexes anywhere in a plan, whichever engine wrote it; plans that lost are not looked at. */
function* namesIn(plan: unknown): Generator<string> {
  if (typeof plan !== 'object' || plan === null) return;
  for (const [member, value] of Object.entries(plan)) {
    if (member === 'rejectedPlans') continue;
    if (member === 'indexName' && typeof value === 'string') yield value;
    else yield* namesIn(value);
  }
}
