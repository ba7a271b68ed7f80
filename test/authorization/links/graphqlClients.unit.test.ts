import { readFileSync } from 'node:fs';
import { isNonNullType, isScalarType, isSpecifiedScalarType, parse, validate } from 'graphql';
import { scalarTypes } from '../../../packages/client/generate/documents.ts';
import { compareGuards } from '../../../schema/check/compareGuards.ts';
import { type Guard, readGuard } from '../../../schema/guards/readGuard.ts';
import { apiSchema } from '../matrix/runMatrix.ts';
import { isSemanticNonNull, objectType } from '../matrix/supergraph.ts';

const guide = readFileSync(new URL('../../../docs/how-to/graphql-clients.md', import.meta.url), 'utf8');
const documents = [...guide.matchAll(/```graphql\n(.*?)```/gs)].map(([, text = '']) => text);

test('the guide for GraphQL clients maps every scalar of the schema', () => {
  const custom = Object.values(apiSchema.getTypeMap())
    .filter(isScalarType)
    .filter((type) => !isSpecifiedScalarType(type))
    .map(({ name }) => name);
  expect(Object.keys(scalarTypes).sort()).toEqual(['ID', ...custom].sort());
  for (const [name, type] of Object.entries(scalarTypes)) expect(guide).toContain(`${name}: '${type}',`);
});

test('every operation of the guide for GraphQL clients is valid', () => {
  expect(documents.length).toBeGreaterThanOrEqual(3);
  for (const text of documents) expect(validate(apiSchema, parse(text))).toEqual([]);
});

test('the guide for GraphQL clients lists every type that is a node', () => {
  const node = apiSchema.getType('Node');
  const names = apiSchema.getPossibleTypes(node as never).map(({ name }) => name);
  const listed = [...guide.matchAll(/^\| `\w+_` \| `(\w+)`/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(names));
});

test('root fields of queries that are null without an error are listed in the guide for GraphQL clients', () => {
  const nullable = Object.values(objectType('Query').getFields()).filter(
    ({ name, type }) => !isNonNullType(type) && !name.startsWith('_'),
  );
  const [, list = ''] = /without an\s+error: (.*?) All others/s.exec(guide) ?? [];
  const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(nullable.filter((field) => !isSemanticNonNull(field)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(listed),
  );
  expect(listed).toHaveLength(nullable.filter((field) => !isSemanticNonNull(field)).length);
});

/** Root fields that return a record by its id, by its type, with the argument that takes the id. */
const rootFields = {
  Listing: ['listing', 'listingId'],
  Media: ['media', 'mediaId'],
  Payment: ['payment', 'paymentId'],
  Conversation: ['conversation', 'conversationId'],
  CatalogListing: ['catalogListing', 'listingId'],
  CatalogDealer: ['catalogDealer', 'dealerId'],
  Page: ['page', 'slug'],
} as const;

test.each(Object.entries(rootFields))(
  'the guard of the type %s admits the same callers as its root field',
  (name, [field, argument]) => {
    const root = objectType('Query').getFields()[field];
    const ofField = root && readGuard(root);
    const byId = ofField && atId(ofField, argument);
    expect(byId).toBeTruthy();
    expect(compareGuards(readGuard(objectType(name)), byId ?? null)).toEqual({ added: [], dropped: [] });
  },
);

/** The guard of a root field, as a type states it: relative to the record instead of the arguments. */
function atId({ owner, ...guard }: Guard, argument: string): Guard {
  return { ...guard, ...(owner && { owner: owner.id === argument ? { ...owner, id: 'id' } : owner }) };
}
