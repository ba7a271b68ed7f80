import type { Model, mongo, PipelineStage, QueryFilter } from 'mongoose';

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

function createReads<R>(model: Model<R>): DirectReads<R> {
  const query = model.find();
  const cast = (filter: QueryFilter<R>) => query.cast(model, filter) as mongo.Filter<mongo.Document>;
  return {
    find: async (filter, options) =>
      (await model.collection.find(cast(filter), options).toArray()) as unknown as R[],
    findOne: async (filter, options) =>
      (await model.collection.findOne(cast(filter), options)) as unknown as R | null,
    aggregate: async <T>(pipeline: PipelineStage[], options: mongo.AggregateOptions) =>
      (await model.collection.aggregate(pipeline, options).toArray()) as T[],
  };
}
