import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { nameOf } from './catalogCategories.ts';
import { categoryLoader } from './categoryLoader.ts';
import type { Attributes } from './checkAttributes.ts';
import type { AttributeSchema, CategoryRecord, Labels } from './model.ts';

/** Parent of the resolvers of `CategoryAttribute`. */
export interface CategoryAttributeParent {
  readonly name: string;
  readonly schema: AttributeSchema;
  readonly isRequired: boolean;
}

/** Parent of the resolvers of `AttributeOption`. */
export interface AttributeOptionParent {
  readonly value: string;
  readonly labels: Labels;
}

/** Parent of the resolvers of every type of values. */
interface ValueOf<Value> {
  readonly name: string;
  readonly attribute: CategoryAttributeParent | null;
  readonly value: Value;
}

export type TextAttributeValueParent = ValueOf<string>;
export type NumberAttributeValueParent = ValueOf<number>;
export type BooleanAttributeValueParent = ValueOf<boolean>;
export type TextListAttributeValueParent = ValueOf<readonly string[]>;
export type AttributeValueParent = ValueOf<Attributes[string]>;

/** Returns the attributes of a category, in order of display. */
export function attributesOf({ attributeSchema }: Pick<CategoryRecord, 'attributeSchema'>) {
  const required = new Set(attributeSchema?.required);
  return Object.entries(attributeSchema?.properties ?? {}).map(
    ([name, schema]): CategoryAttributeParent => ({ name, schema, isRequired: required.has(name) }),
  );
}

/** Returns the values of a listing's attributes in the order of its category, then those that it no longer defines. */
export async function attributeValuesOf(
  { attributes, categoryId }: { attributes: Attributes; categoryId: string | null },
  context: RequestContext,
): Promise<AttributeValueParent[]> {
  const category = categoryId ? await context.loader(categoryLoader).load(categoryId) : null;
  const defined = category ? attributesOf(category) : [];
  const names = new Set(defined.map(({ name }) => name));
  const known = defined.flatMap((attribute): AttributeValueParent[] => {
    const value = attributes[attribute.name];
    return value === undefined ? [] : [{ name: attribute.name, attribute, value }];
  });
  const others = Object.entries(attributes).filter(([name]) => !names.has(name));
  return [...known, ...others.map(([name, value]) => ({ name, attribute: null, value }))];
}

/** Returns the GraphQL type of a value. */
export function valueTypeOf({ value }: AttributeValueParent) {
  if (typeof value === 'string') return 'TextAttributeValue';
  if (typeof value === 'number') return 'NumberAttributeValue';
  return typeof value === 'boolean' ? 'BooleanAttributeValue' : 'TextListAttributeValue';
}

/** Returns a value with its labels. */
export function optionOf(schema: AttributeSchema | undefined, value: string): AttributeOptionParent {
  return { value, labels: schema?.valueLabels?.[value] ?? {} };
}

/** Returns the accepted values of an attribute; null if there is no such list. */
export function optionsOf({ schema }: CategoryAttributeParent): AttributeOptionParent[] | null {
  const values = schema.enum ?? schema.items?.enum;
  return values?.map((value) => optionOf(schema, value)) ?? null;
}

/** Returns the label of a value in a language, otherwise the value. */
export function labelOf(
  { value, labels }: AttributeOptionParent,
  locale: string | null | undefined,
  context: RequestContext,
): string {
  return labels.und ?? nameOf({ names: labels, slug: value }, locale, context);
}
