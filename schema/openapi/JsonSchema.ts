/** JSON Schema (2020-12) of OpenAPI 3.1, reduced to the keywords of this contract. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  anyOf?: JsonSchema[];
  examples?: unknown[];
  deprecated?: boolean;
}

/** Named schemas of the document, filled as they are mentioned. */
export type Components = Record<string, JsonSchema>;

/** Returns a reference to a named schema. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the schema, or null as an alternative. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !schema.enum) return { ...schema, type: [schema.type, 'null'] };
  // A schema without a type already accepts null.
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** Marks the schema of a deprecated member. */
export function deprecatedIf(schema: JsonSchema, reason: string | null | undefined): JsonSchema {
  return reason ? { ...schema, deprecated: true } : schema;
}

/** Adds a description to a schema, unless it is empty. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema;
}
