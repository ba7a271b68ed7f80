import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  AttributeOptionResolvers,
  AttributeValueResolvers,
  BooleanAttributeValueResolvers,
  CatalogCategoryResolvers,
  CategoryAttributeResolvers,
  NumberAttributeValueResolvers,
  QueryResolvers,
  TextAttributeValueResolvers,
  TextListAttributeValueResolvers,
} from '../../identity.generated.ts';
import { attributesOf, labelOf, optionOf, optionsOf, valueTypeOf } from './attributeValues.ts';
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
  attributes: (record) => attributesOf(record),
};

const CategoryAttribute: CategoryAttributeResolvers = {
  type: ({ schema: { type } }) => attributeTypes[type],
  isPrivate: ({ schema }) => schema.private === true,
  description: ({ schema }) => schema.description ?? null,
  unit: ({ schema }) => schema.unit ?? null,
  minimum: ({ schema }) => schema.minimum ?? null,
  maximum: ({ schema }) => schema.maximum ?? null,
  maxLength: ({ schema }) => schema.maxLength ?? null,
  maxItems: ({ schema }) => schema.maxItems ?? null,
  options: optionsOf,
};

/** Types of attributes by the type in their schema. */
const attributeTypes = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'text_list',
} as const;

const AttributeOption: AttributeOptionResolvers = {
  label: (option, { locale }, context) => labelOf(option, locale, context),
};

const AttributeValue: AttributeValueResolvers = {
  __resolveType: valueTypeOf,
};

const TextAttributeValue: TextAttributeValueResolvers = {
  text: ({ value }) => value,
  label: ({ attribute, value }, { locale }, context) =>
    labelOf(optionOf(attribute?.schema, value), locale, context),
};

const NumberAttributeValue: NumberAttributeValueResolvers = { number: ({ value }) => value };

const BooleanAttributeValue: BooleanAttributeValueResolvers = { boolean: ({ value }) => value };

const TextListAttributeValue: TextListAttributeValueResolvers = {
  options: ({ attribute, value }) => value.map((each) => optionOf(attribute?.schema, each)),
};

export const category: Resource = {
  resolvers: {
    Query,
    CatalogCategory,
    CategoryAttribute,
    AttributeOption,
    AttributeValue,
    TextAttributeValue,
    NumberAttributeValue,
    BooleanAttributeValue,
    TextListAttributeValue,
  },
  records: {
    CatalogCategory: { idType: 'category', read: (id, context) => context.loader(categoryLoader).load(id) },
  },
  models: [CategoryModel],
};
