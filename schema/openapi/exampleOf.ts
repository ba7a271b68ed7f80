import type { Components, JsonSchema } from './JsonSchema.ts';

const formats: Readonly<Record<string, unknown>> = {
  'date-time': '2026-05-02T09:00:00.000Z',
  uri: 'https://example.com/path',
  int32: 1,
  int64: 1,
};

/** Examples of members by name. */
const names: Readonly<Record<string, unknown>> = {
  currency: 'EUR',
  amount: 1_890_000,
  language: 'pt-BR',
  locale: 'pt-BR',
  languageTag: 'pt-BR',
  limit: 20,
  email: 'ada@example.com',
  access_token: 'eyJhbGciOiJFUzI1NiIs…',
};

/** Named schemas around an example: a recursive schema is shown once. */
type Inside = ReadonlySet<string>;

/** Builds an example of a schema from its types and member names, always the same for a schema. */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  return valueOf(schema, components, '', new Set());
}

function valueOf(schema: JsonSchema, components: Components, name: string, inside: Inside): unknown {
  if (schema.$ref) {
    return valueOf(
      components[nameOf(schema.$ref)] ?? {},
      components,
      name,
      new Set([...inside, nameOf(schema.$ref)]),
    );
  }
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first) return isInside(first, inside) ? null : valueOf(first, components, name, inside);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const members = Object.entries(schema.properties ?? {});
    return Object.fromEntries(
      members.map(([key, member]) => [key, valueOf(member, components, key, inside)]),
    );
  }
  if (type === 'array') {
    return !schema.items || isInside(schema.items, inside)
      ? []
      : [valueOf(schema.items, components, name, inside)];
  }
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known !== undefined && typeof known === typeofJson(type)) return known;
  if (schema.format) return formats[schema.format];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return type === 'string' ? exampleText(name) : {};
}

function typeofJson(type: string | undefined): string | undefined {
  return type === 'integer' ? 'number' : type;
}

function isInside({ $ref }: JsonSchema, inside: Inside): boolean {
  return $ref !== undefined && inside.has(nameOf($ref));
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function exampleText(name: string): string {
  if (name === 'id' || /Ids?$|_ids?$/.test(name)) return 'id_01J9ZC3V6N8QW4R2T5Y7A0B1CD';
  return name === '' ? 'text' : name;
}
