import { type Json, textsOf, toObject } from './Json.ts';

/** A JSON Schema as the set of values that it accepts. */
export interface SchemaShape {
  readonly nullable: boolean;
  /** Whether every value fits; such a schema has no variant. */
  readonly anything: boolean;
  /** Forms besides null, one of which must match. References are not resolved. */
  readonly variants: readonly Json[];
}

/** Keywords that do not constrain values. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'example',
  'examples',
  '$comment',
]);

/** Returns whether a keyword is only an annotation. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

/** Splits `anyOf`, `oneOf` and lists of types. The schema itself must be resolved. */
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
  // Keywords next to the alternatives apply to each of them.
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

/** Returns the types that a form names; `undefined` if it names none, so that any is possible. */
export function typesOf({ type, properties, items }: Json): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return textsOf(type);
  if (properties !== undefined) return ['object'];
  return items === undefined ? undefined : ['array'];
}

/** Returns the values that a form is limited to, as JSON; `undefined` if it is not limited. */
export function valuesOf({ enum: values, const: constant }: Json): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value));
  return constant === undefined ? undefined : [JSON.stringify(constant)];
}
