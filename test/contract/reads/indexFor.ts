import mongoose from 'mongoose';

/** A read as it goes to the database. */
interface Read {
  readonly collection: string;
  readonly filter: Filter;
  /** Keys of its order; none where it wants no order, or all records in it. */
  readonly order: readonly Key[];
}
type Filter = Readonly<Record<string, unknown>>;
type Key = readonly [field: string, direction: number];
interface Index {
  readonly keys: readonly Key[];
  readonly unique: boolean;
}

/**
 * The reads of `work` that no index answers, by what the indexes are: a page needs one that names what the filter states
 * and goes on in the order of the page, any other read one that begins with what the filter states. The plan of an engine
 * does not say so: of few records it may read and sort all.
 */
export async function readsWithoutIndex(work: () => Promise<unknown>): Promise<string[]> {
  const reads: Read[] = [];
  const listen = ({ commandName, command }: mongoose.mongo.CommandStartedEvent): void => {
    const read = toRead(commandName, command);
    if (read) reads.push(read);
  };
  const client = mongoose.connection.getClient();
  client.on('commandStarted', listen);
  try {
    await work();
  } finally {
    client.off('commandStarted', listen);
  }
  const found: string[] = [];
  for (const read of reads) {
    const known = await indexesIn(read.collection);
    if (!branchesOf(read.filter).every((filter) => known.some((index) => answers(index, filter, read.order))))
      found.push(`${read.collection} ${JSON.stringify(read.filter)} by ${JSON.stringify(read.order)}`);
  }
  return found;
}

const indexes = new Map<string, Promise<Index[]>>();

/** The indexes of a collection, asked for once. */
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

/** The filter once for each branch of its `$or`, with the members of its `$and` beside each other. */
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

/** Fields of which a filter states a value, or some. */
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

/** Fields that name a record: an index that leaves all of them out reads those of everybody. */
const isId = /(?:^_|[iI])d$|\.party$/;

/** Whether an index goes on in an order, forwards or backwards; behind the last key of a unique one nothing is left to order. */
function continues(rest: readonly Key[], order: readonly Key[], unique: boolean): boolean {
  return [1, -1].some((way) =>
    order.every(([field, direction], at) => {
      const key = rest[at];
      return key ? key[0] === field && key[1] === direction * way : unique && at > 0;
    }),
  );
}
