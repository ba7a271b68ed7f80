import type { ClientSession, Model, PipelineStage, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';
import { aggregateDirectly, type DirectFindOptions, findDirectly } from '../mongo/directReads.ts';
import { unscoped } from '../mongo/installationScope.ts';
import { outboxFilled } from '../mongo/outboxFilled.ts';

/** Every stored record of an installation. */
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
   * Keys of the index that holds the records in their order. For long lists: an engine that takes a list for short reads
   * all of it, and sorts.
   */
  hint?: Record<string, 1 | -1> | undefined;
  /** Returns everything in the first batch instead of a cursor, for many small records. Requires `limit`. */
  inOneBatch?: boolean;
  session?: ClientSession;
}

/** One write of many: a new record, or a change of the one that the filter finds. */
export type EachWrite<R extends ScopedRecord> =
  | { insert: Omit<R, 'installationId'> }
  | { filter: QueryFilter<R>; update: UpdateQuery<R>; upsert?: boolean };

/** Options of a write. */
export interface WriteOptions {
  session?: ClientSession | undefined;
  /** Does not signal the relay: the caller does, after the last of several writes. */
  isQuiet?: boolean;
}

/**
 * One collection as one installation sees it: the only way to records. A filter can narrow, never widen: the
 * installation is set last. Reads are plain objects (no mongoose documents).
 */
export interface ScopedCollection<R extends ScopedRecord> {
  find(filter: QueryFilter<R>, options?: ReadOptions<R>): Promise<R[]>;
  findOne(filter: QueryFilter<R>, options?: ReadOptions<R>): Promise<R | null>;
  count(filter: QueryFilter<R>, options?: { limit?: number; session?: ClientSession }): Promise<number>;
  aggregate<T>(match: QueryFilter<R>, stages: PipelineStage[], options?: WriteOptions): Promise<T[]>;
  /** Duplicate keys reject with MongoDB's error 11000: see `isDuplicateKey`. */
  insert(record: Omit<R, 'installationId'>, options?: WriteOptions): Promise<R>;
  /**
   * Stores those records whose id (or other unique value) is not there yet, in one command, so that a batch can be
   * repeated. Answers the indexes of the others.
   */
  insertAbsent(records: readonly Omit<R, 'installationId'>[]): Promise<ReadonlySet<number>>;
  /** Conditional write: null when nothing matched the filter. Answers the record after the update. */
  findOneAndUpdate(
    filter: QueryFilter<R>,
    update: UpdateQuery<R> | PipelineStage.Set[],
    options?: WriteOptions & { upsert?: boolean },
  ): Promise<R | null>;
  /**
   * Writes by id, each of which makes its record where there is none, in one command. Answers the indexes of those that
   * lost to a first write of the same record at the same time, or met a record that their own filter does not admit; in a
   * transaction, such a one is repeated instead.
   */
  upsertEach(
    writes: readonly { _id: string; filter?: QueryFilter<R>; update: UpdateQuery<R> | PipelineStage.Set[] }[],
    options?: WriteOptions,
  ): Promise<ReadonlySet<number>>;
  /**
   * Changes of single records in their order, in one command, and then new records, in another one. New ones are stored
   * as they are, without what a model does for one: no defaults, no casts. Answers how many writes found or made a
   * record; duplicate keys reject.
   */
  writeEach(writes: readonly EachWrite<R>[], options?: WriteOptions): Promise<number>;
  /** Number of records that matched. */
  updateMany(filter: QueryFilter<R>, update: UpdateQuery<R>, options?: WriteOptions): Promise<number>;
  /** Number of records removed. */
  deleteMany(filter: QueryFilter<R>, options?: WriteOptions): Promise<number>;
}

/**
 * The records of one installation in a model's collection.
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

/** The records of another domain's model, to be read: only a domain writes its own collections. */
export function reads<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedReads<R> {
  return scoped(model, installationId);
}

/** Of each model what was asked for last: most processes serve few installations, and every read asks. */
const lastScoped = new WeakMap<object, { installationId: string; collection: unknown }>();

function collectionOf<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedCollection<R> {
  // Reads pass no hook of the model that would say it.
  if (!installationId) throw unscoped(model.collection.name);
  const within = (filter: QueryFilter<R>): QueryFilter<R> => ({ ...filter, installationId });
  const { collectionName } = model.collection;
  // Never executed: it casts filters, and refuses paths that the schema does not know.
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
          // A pipeline computes its values, so they cannot be validated before.
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

/** The collection, with writes that signal the relay, so that no use case has to. */
function reportWrites<R extends ScopedRecord>(
  name: string,
  collection: ScopedCollection<R>,
): ScopedCollection<R> {
  const reported = async <T>(result: Promise<T>, { session, isQuiet }: WriteOptions = {}): Promise<T> => {
    const answer = await result;
    // A conditional write that matched nothing has left nothing to publish.
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

/** Many records in one command each. */
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

/** A member that is left out is not stored as null. */
function withoutUndefined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Indexes of the writes that met a record of their unique value; the others are done. */
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

/** Whether a write was refused by a unique index, which is an expected outcome; optionally by a given index. */
export function isDuplicateKey(error: unknown, key?: string): boolean {
  if (typeof error !== 'object' || error === null || (error as { code?: unknown }).code !== 11000)
    return false;
  return (
    key === undefined ||
    JSON.stringify((error as { keyPattern?: unknown }).keyPattern ?? String(error)).includes(key)
  );
}
