import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { QueryResolvers } from '../../identity.generated.ts';
import { catalogCategories } from './catalogCategories.ts';
import { CategoryModel } from './model.ts';

const Query: QueryResolvers = {
  catalogCategories: (_, { locale }, context) => catalogCategories(locale, context),
};

export const category: Resource = {
  resolvers: { Query },
  models: [CategoryModel],
};
