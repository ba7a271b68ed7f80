import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { CatalogCategoryResolvers, QueryResolvers } from '../../identity.generated.ts';
import { catalogCategories, nameOf } from './catalogCategories.ts';
import { categoryLoader } from './categoryLoader.ts';
import { CategoryModel, type CategoryRecord } from './model.ts';

/** Parent of the resolvers of `CatalogCategory`. */
export type CatalogCategoryParent = CategoryRecord;

const Query: QueryResolvers = {
  catalogCategories: (_source, _args, context) => catalogCategories(context),
};

const CatalogCategory: CatalogCategoryResolvers = {
  name: (record, { locale }, context) => nameOf(record, locale, context),
  depth: ({ ancestorIds }) => ancestorIds.length,
  isLeaf: ({ leaf }) => leaf,
};

export const category: Resource = {
  resolvers: { Query, CatalogCategory },
  records: {
    CatalogCategory: { idType: 'category', read: (id, context) => context.loader(categoryLoader).load(id) },
  },
  models: [CategoryModel],
};
