import { type Json, textsOf, toObject } from './Json.ts';

/** A JSON Schema seen as the set of values it takes. */
export interface SchemaShape {
  readonly nullable: boolean;
  /** Whether every value fits; such a schema has no variant. */
  readonly anything: boolean;
  /** Forms besides null; one of them must fit. References stay unresolved. */
  readonly variants: readonly Json[];
}

/** Keywords that say nothing about the values. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'example',
  'examples',
  '$comment',
]);

/** Whether a keyword only explains. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

/** Takes `anyOf`, `oneOf` and lists of types apart. The schema itself must be resolved. */
export function toSchemaShape(schema: unknown): SchemaShape {
  if (schema === undefined || schema === true) return { nullable: true, anything: true, variants: [] };
  const parts = flatten(toObject(schema));
  const variants = parts.filter((part) => !isNull(part));
  const anything = variants.some((part) => Object.keys(part).every(isAnnotation));
  return {
    nullable: anything || parts.length > variants.length,
    anything,
    variants: anything ? [] : variants,
  };
}

function flatten(schema: Json): Json[] {
  const { anyOf, oneOf, ...rest } = schema;
  const alternatives = Array.isArray(anyOf) ? anyOf : oneOf;
  // Keywords beside the alternatives hold for each of them.
  const isPlain = Object.keys(rest).every(isAnnotation);
  if (Array.isArray(alternatives) && !(anyOf && oneOf) && isPlain) {
    return alternatives.flatMap((part) => flatten(toObject(part)));
  }
  const types = textsOf(schema.type);
  if (!types.includes('null')) return [schema];
  const [only, ...more] = types.filter((type) => type !== 'null');
  if (only === undefined) return [{ type: 'null' }];
  return [{ ...schema, type: more.length === 0 ? only : [only, ...more] }, { type: 'null' }];
}

function isNull({ type, const: constant }: Json): boolean {
  return type === 'null' || constant === null;
}

/** Types that a form names; `undefined` if it names none, so that any is possible. */
export function typesOf({ type, properties, items }: Json): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return textsOf(type);
  if (properties !== undefined) return ['object'];
  return items === undefined ? undefined : ['array'];
}

/** Values that a form is limited to, as JSON; `undefined` if it is not. */
export function valuesOf({ enum: values, const: constant }: Json): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value));
  return constant === undefined ? undefined : [JSON.stringify(constant)];
}
