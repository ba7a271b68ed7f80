import type { ClientSession, Model, PipelineStage, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';
import { aggregateDirectly, type DirectFindOptions, findDirectly } from '../mongo/directReads.ts';
import { unscoped } from '../mongo/installationScope.ts';
import { outboxFilled } from '../mongo/outboxFilled.ts';

/** Members of every stored record of an installation. */
export interface ScopedRecord {
  _id: string;
  installationId: string;
}

/** Options of a read. */
export interface ReadOptions<R> {
  projection?: ProjectionType<R>;
  /** Always explicit where order matters: natural order is not insertion order. */
  sort?: Record<string, 1 | -1>;
  limit?: number;
  /**
   * Keys of the index that holds the records in order. For long lists: a database that assumes a short list reads and
   * sorts all of it.
   */
  hint?: Record<string, 1 | -1> | undefined;
  /** Returns everything in the first batch instead of a cursor, for many small records. Requires `limit`. */
  inOneBatch?: boolean;
  session?: ClientSession;
}

/** One of many writes: a new record, or a change of the record that matches the filter. */
export type EachWrite<R extends ScopedRecord> =
  | { insert: Omit<R, 'installationId'> }
  | { filter: QueryFilter<R>; update: UpdateQuery<R>; upsert?: boolean };

/** Options of a write. */
export interface WriteOptions {
  session?: ClientSession | undefined;
  /** Does not signal the relay; the caller does so after the last of several writes. */
  isQuiet?: boolean;
}

/**
 * One collection, restricted to one installation: the only access to records. A filter can narrow it but never widen
 * it, because the installation is set last. Reads return plain objects (no mongoose documents).
 */
export interface ScopedCollection<R extends ScopedRecord> {
  find(filter: QueryFilter<R>, options?: ReadOptions<R>): Promise<R[]>;
  findOne(filter: QueryFilter<R>, options?: ReadOptions<R>): Promise<R | null>;
  count(filter: QueryFilter<R>, options?: { limit?: number; session?: ClientSession }): Promise<number>;
  aggregate<T>(match: QueryFilter<R>, stages: PipelineStage[], options?: WriteOptions): Promise<T[]>;
  /** Inserts a record. A duplicate key rejects with MongoDB's error 11000: see `isDuplicateKey`. */
  insert(record: Omit<R, 'installationId'>, options?: WriteOptions): Promise<R>;
  /**
   * Stores those records whose id (or other unique value) is not there yet, in one command, so that a batch can be
   * repeated. Answers the indexes of the others.
   */
  insertAbsent(records: readonly Omit<R, 'installationId'>[]): Promise<ReadonlySet<number>>;
  /** Updates a record conditionally and returns it; null if the filter matched nothing. */
  findOneAndUpdate(
    filter: QueryFilter<R>,
    update: UpdateQuery<R> | PipelineStage.Set[],
    options?: WriteOptions & { upsert?: boolean },
  ): Promise<R | null>;
  /**
   * Upserts records by id in one command. Returns the indexes of writes that lost to a concurrent first write, or whose
   * own filter excluded the existing record. In a transaction, the former are retried instead.
   */
  upsertEach(
    writes: readonly { _id: string; filter?: QueryFilter<R>; update: UpdateQuery<R> | PipelineStage.Set[] }[],
    options?: WriteOptions,
  ): Promise<ReadonlySet<number>>;
  /**
   * Updates single records in order in one command, then inserts new records in another one. New records are stored
   * without defaults and casts of the model. Returns the number of writes that matched or created a record; duplicate
   * keys reject.
   */
  writeEach(writes: readonly EachWrite<R>[], options?: WriteOptions): Promise<number>;
  /** Updates matching records and returns their number. */
  updateMany(filter: QueryFilter<R>, update: UpdateQuery<R>, options?: WriteOptions): Promise<number>;
  /** Deletes matching records and returns their number. */
  deleteMany(filter: QueryFilter<R>, options?: WriteOptions): Promise<number>;
}

/**
 * Returns the records of one installation in a model's collection.
 *
 * @param model the resource's model, which is never used directly
 * @param installationId `ins_…` of the request's installation, never from a parameter
 */
export function scoped<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedCollection<R> {
  const last = lastScoped.get(model);
  if (last?.installationId === installationId) return last.collection as ScopedCollection<R>;
  const plain = collectionOf(model, installationId);
  const collection = model.schema.paths.outbox ? reportWrites(model.collection.name, plain) : plain;
  lastScoped.set(model, { installationId, collection });
  return collection;
}

/** Operations on a collection that other domains may use. */
export type ScopedReads<R extends ScopedRecord> = Pick<
  ScopedCollection<R>,
  'find' | 'findOne' | 'count' | 'aggregate'
>;

/** Returns the records of another domain's model for reading. Only a domain writes its own collections. */
export function reads<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedReads<R> {
  return scoped(model, installationId);
}

/** Latest scoped collection of each model, because most processes serve few installations and every read needs it. */
const lastScoped = new WeakMap<object, { installationId: string; collection: unknown }>();

function collectionOf<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedCollection<R> {
  // Reads bypass the hooks of the model that would report it.
  if (!installationId) throw unscoped(model.collection.name);
  const within = (filter: QueryFilter<R>): QueryFilter<R> => ({ ...filter, installationId });
  const { collectionName } = model.collection;
  // Never executed; it casts filters, and refuses paths that the schema does not know.
  const caster = model.find();
  const readConcern = model.schema.get('readConcern');
  // A transaction has its own read concern.
  const reading = <O extends { session?: ClientSession | undefined }>(options: O): O =>
    readConcern && !options.session ? { ...options, readConcern } : options;
  const find = async (filter: QueryFilter<R>, options: ReadOptions<R>): Promise<R[]> =>
    findDirectly(
      collectionName,
      caster.cast(model, within(filter)),
      reading(options as DirectFindOptions & ReadOptions<R>),
    );
  return {
    find: (filter, options = {}) => find(filter, options),
    findOne: async (filter, options = {}) => (await find(filter, { ...options, limit: 1 }))[0] ?? null,
    async count(filter, { limit, session } = {}) {
      const query = model.countDocuments(within(filter));
      if (limit !== undefined) query.limit(limit);
      if (session) query.session(session);
      return query.exec();
    },
    aggregate: (match, stages, { session } = {}) =>
      aggregateDirectly(
        collectionName,
        [{ $match: within(match) }, ...stages],
        reading(session ? { session } : {}),
      ),
    async insert(record, { session } = {}) {
      const document = new model({ ...record, installationId });
      await document.save({ session: session ?? null });
      return document.toObject();
    },
    ...batchesOf(model, installationId),
    async findOneAndUpdate(filter, update, { session, upsert = false } = {}) {
      return model
        .findOneAndUpdate(within(filter), update, {
          returnDocument: 'after',
          upsert,
          session: session ?? null,
          // A pipeline computes its values, so they cannot be validated beforehand.
          ...(Array.isArray(update) ? { updatePipeline: true } : { runValidators: true }),
        })
        .lean<R>()
        .exec();
    },
    async updateMany(filter, update, { session } = {}) {
      const result = await model.updateMany(within(filter), update, session ? { session } : {});
      return result.matchedCount;
    },
    async deleteMany(filter, { session } = {}) {
      const result = await model.deleteMany(within(filter), session ? { session } : {});
      return result.deletedCount;
    },
  };
}

/** Returns the collection with writes that signal the relay, so that use cases need not do so. */
function reportWrites<R extends ScopedRecord>(
  name: string,
  collection: ScopedCollection<R>,
): ScopedCollection<R> {
  const reported = async <T>(result: Promise<T>, { session, isQuiet }: WriteOptions = {}): Promise<T> => {
    const answer = await result;
    // A conditional write without a match has nothing to publish.
    if (!isQuiet && answer !== null) outboxFilled(name, session ?? undefined);
    return answer;
  };
  const { insert, insertAbsent, findOneAndUpdate, upsertEach, writeEach, updateMany } = collection;
  return {
    ...collection,
    insert: (record, options) => reported(insert(record, options), options),
    insertAbsent: (records) => reported(insertAbsent(records)),
    findOneAndUpdate: (filter, update, options) =>
      reported(findOneAndUpdate(filter, update, options), options),
    upsertEach: (writes, options) => reported(upsertEach(writes, options), options),
    writeEach: (writes, options) => reported(writeEach(writes, options), options),
    updateMany: (filter, update, options) => reported(updateMany(filter, update, options), options),
  };
}

/** Splits many records into commands. */
function batchesOf<R extends ScopedRecord>(
  model: Model<R>,
  installationId: string,
): Pick<ScopedCollection<R>, 'insertAbsent' | 'upsertEach' | 'writeEach'> {
  const bulk = (operations: readonly object[], ordered: boolean, { session }: WriteOptions = {}) =>
    model.bulkWrite(operations as Parameters<typeof model.bulkWrite>[0], {
      ordered,
      throwOnValidationError: true,
      ...(session && { session }),
    });
  return {
    async writeEach(writes, options = {}) {
      const changes = writes.flatMap((write) =>
        'insert' in write ? [] : [{ updateOne: { ...write, filter: { ...write.filter, installationId } } }],
      );
      const records = writes.flatMap((write) =>
        'insert' in write ? [{ ...withoutUndefined(write.insert), installationId } as unknown as R] : [],
      );
      let written = records.length;
      if (changes.length > 0) {
        const { matchedCount, upsertedCount } = await bulk(changes, true, options);
        written += matchedCount + upsertedCount;
      }
      const { session } = options;
      if (records.length > 0) await model.insertMany(records, { lean: true, ...(session && { session }) });
      return written;
    },
    insertAbsent: (records) =>
      refusedBy(
        bulk(
          records.map((record) => ({ insertOne: { document: { ...record, installationId } } })),
          false,
        ),
      ),
    upsertEach: (writes, options) =>
      refusedBy(
        bulk(
          writes.map(({ _id, filter, update }) => ({
            updateOne: { filter: { ...filter, _id, installationId }, update, upsert: true },
          })),
          false,
          options,
        ),
      ),
  };
}

/** Removes undefined members, so that they are not stored as null. */
function withoutUndefined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Returns the indexes of the writes that violated a unique index; the others succeeded. */
async function refusedBy(writes: Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await writes;
    return new Set();
  } catch (error) {
    const { writeErrors } = error as { writeErrors?: WriteFailure | readonly WriteFailure[] };
    const failures = writeErrors === undefined ? [] : [writeErrors].flat();
    if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error;
    return new Set(failures.map(({ index }) => index));
  }
}

interface WriteFailure {
  code: number;
  index: number;
}

/** Returns whether a unique index refused a write, which is an expected outcome; optionally a given index. */
export function isDuplicateKey(error: unknown, key?: string): boolean {
  if (typeof error !== 'object' || error === null || (error as { code?: unknown }).code !== 11000)
    return false;
  return (
    key === undefined ||
    JSON.stringify((error as { keyPattern?: unknown }).keyPattern ?? String(error)).includes(key)
  );
}
