import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { CategoryModel } from './model.ts';

export const category: Resource = {
  models: [CategoryModel],
};
