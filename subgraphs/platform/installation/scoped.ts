import type { ClientSession, Model, PipelineStage, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';

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
  session?: ClientSession;
}

/** Options of a write. */
export interface WriteOptions {
  session?: ClientSession | undefined;
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
  /** Stores those records whose id is not there yet, in one command, so that a batch can be repeated. */
  insertAbsent(records: readonly Omit<R, 'installationId'>[]): Promise<void>;
  /** Conditional write: null when nothing matched the filter. Answers the record after the update. */
  findOneAndUpdate(
    filter: QueryFilter<R>,
    update: UpdateQuery<R>,
    options?: WriteOptions & { upsert?: boolean },
  ): Promise<R | null>;
  /** Number of records that matched. */
  updateMany(filter: QueryFilter<R>, update: UpdateQuery<R>, options?: WriteOptions): Promise<number>;
  /** Number of records removed. */
  deleteMany(filter: QueryFilter<R>, options?: WriteOptions): Promise<number>;
}

/**
 * The records of one installation in a model's collection.
 *
 * @param model the resource's model; nobody calls it directly
 * @param installationId `ins_…` of the request's installation, never from a parameter
 */
export function scoped<R extends ScopedRecord>(model: Model<R>, installationId: string): ScopedCollection<R> {
  const within = (filter: QueryFilter<R>): QueryFilter<R> => ({ ...filter, installationId });
  return {
    async find(filter, { projection, sort, limit, session } = {}) {
      const query = model.find(within(filter), projection ?? null).lean<R[]>();
      if (sort) query.sort(sort);
      if (limit !== undefined) query.limit(limit);
      if (session) query.session(session);
      return query.exec();
    },
    async findOne(filter, { projection, sort, session } = {}) {
      const query = model.findOne(within(filter), projection ?? null).lean<R>();
      if (sort) query.sort(sort);
      if (session) query.session(session);
      return query.exec();
    },
    async count(filter, { limit, session } = {}) {
      const query = model.countDocuments(within(filter));
      if (limit !== undefined) query.limit(limit);
      if (session) query.session(session);
      return query.exec();
    },
    async aggregate<T>(match: QueryFilter<R>, stages: PipelineStage[], { session }: WriteOptions = {}) {
      const pipeline = model.aggregate<T>([{ $match: within(match) }, ...stages]);
      return (session ? pipeline.session(session) : pipeline).exec();
    },
    async insert(record, { session } = {}) {
      const document = new model({ ...record, installationId });
      await document.save({ session: session ?? null });
      return document.toObject();
    },
    async insertAbsent(records) {
      const documents = records.map((record) => ({ ...record, installationId }));
      await model
        .insertMany(documents, { ordered: false, throwOnValidationError: true })
        .catch(ignoreDuplicates);
    },
    async findOneAndUpdate(filter, update, { session, upsert = false } = {}) {
      return model
        .findOneAndUpdate(within(filter), update, {
          returnDocument: 'after',
          upsert,
          session: session ?? null,
          runValidators: true,
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

/** What an unordered batch failed with, unless every failure was a record that is there already. */
function ignoreDuplicates(error: unknown): void {
  const { writeErrors } = error as { writeErrors?: { code?: number } | readonly { code?: number }[] };
  const failures = writeErrors === undefined ? [] : [writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== 11000)) throw error;
}

/** Whether a write was refused by a unique index (an expected answer, not a failure); names the index if asked. */
export function isDuplicateKey(error: unknown, key?: string): boolean {
  if (typeof error !== 'object' || error === null || (error as { code?: unknown }).code !== 11000)
    return false;
  return (
    key === undefined ||
    JSON.stringify((error as { keyPattern?: unknown }).keyPattern ?? String(error)).includes(key)
  );
}
