import type { Model, mongo, PipelineStage, QueryFilter } from 'mongoose';
import { aggregateAtOnce, findAtOnce } from '../mongo/readAtOnce.ts';

type Options = mongo.FindOptions;

/**
 * Reads of a model by the driver itself. Plain objects are wanted, so of mongoose's query nothing is needed but the cast of
 * the filter, which also refuses paths that the schema does not know: the rest of it is a quarter of what a read costs.
 */
export interface DirectReads<R> {
  find(filter: QueryFilter<R>, options: Options): Promise<R[]>;
  findOne(filter: QueryFilter<R>, options: Options): Promise<R | null>;
  aggregate<T>(pipeline: PipelineStage[], options: mongo.AggregateOptions): Promise<T[]>;
}

const known = new WeakMap<object, DirectReads<never>>();

/** The reads of a model; nobody calls them without an installation in the filter. */
export function directReads<R>(model: Model<R>): DirectReads<R> {
  let reads = known.get(model) as DirectReads<R> | undefined;
  if (!reads) {
    reads = createReads(model);
    known.set(model, reads as DirectReads<never>);
  }
  return reads;
}

/** Who does not say how many records he reads gets so many at once; a longer list is read with a cursor. */
const mostAtOnce = 1000;

function createReads<R>(model: Model<R>): DirectReads<R> {
  const query = model.find();
  const cast = (filter: QueryFilter<R>) => query.cast(model, filter) as mongo.Filter<mongo.Document>;
  const { collection } = model;
  const name = collection.collectionName;
  return {
    async find(filter, options) {
      const wanted = cast(filter);
      const most = mostOf(wanted, options);
      // One that says its batch wants all of it in the first one.
      const isShort = options.batchSize !== undefined || most <= mostAtOnce;
      if (isShort && !options.session) return findAtOnce<R>(name, wanted, { ...options, most });
      return (await collection.find(wanted, options).toArray()) as unknown as R[];
    },
    async findOne(filter, options) {
      const wanted = cast(filter);
      if (options.session) return (await collection.findOne(wanted, options)) as unknown as R | null;
      const [found] = await findAtOnce<R>(name, wanted, { ...options, limit: 1, most: 1 });
      return found ?? null;
    },
    async aggregate<T>(pipeline: PipelineStage[], options: mongo.AggregateOptions) {
      if (!options.session) return aggregateAtOnce<T>(name, pipeline, { most: mostAtOnce });
      return (await collection.aggregate(pipeline, options).toArray()) as T[];
    },
  };
}

/** Of so many keys at a time a read may find more records than are read at once. */
const manyKeys = 100;

/** How many records a read can find, as far as it says so, or is expected to. */
function mostOf(filter: mongo.Filter<mongo.Document>, { limit }: Options): number {
  const ids = typeof filter._id === 'string' ? 1 : keysOf(filter._id);
  if (limit || ids) return Math.min(limit || Number.POSITIVE_INFINITY, ids || Number.POSITIVE_INFINITY);
  const keys = Math.max(...Object.values(filter).map(keysOf));
  return keys > manyKeys ? Number.POSITIVE_INFINITY : mostAtOnce;
}

function keysOf(condition: unknown): number {
  return (condition as { $in?: unknown[] } | null | undefined)?.$in?.length ?? 0;
}
