import type { QueryResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { catalogCategories } from './catalogCategories.ts';
import { CategoryModel } from './model.ts';

const Query: QueryResolvers = {
  catalogCategories: (_, { locale }, context) => catalogCategories(locale, context),
};

export const category: Resource = {
  resolvers: { Query },
  models: [CategoryModel],
};
