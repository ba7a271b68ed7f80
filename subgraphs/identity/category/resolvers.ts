import type { Model } from 'mongoose';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { CategoryModel } from './model.ts';

export const category: Resource = {
  models: [CategoryModel] as unknown as Model<never>[],
};
