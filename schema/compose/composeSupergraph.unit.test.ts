import type { composeServices } from '@theguild/federation-composition';
import { buildSchema, GraphQLError, parse } from 'graphql';
import { composeSupergraph } from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import { readGuard } from '../guards/readGuard.ts';
import { assembleSdl } from './assembleSubgraphSdl.ts';
import { findUndescribed } from './findUndescribed.ts';

const source = (name: string, ...texts: string[]) => ({
  name,
  url: `http://127.0.0.1/${name}`,
  sdl: assembleSdl(texts.map((text, index) => ({ file: `${name}/${index}.graphql`, text }))),
});
const identity = source(
  'identity',
  `type Query { listing(id: ID!): Listing @guard__owner(type: "Listing", or: "listings:moderate") @guard__rateClass(name: READ) }
   type Listing @key(fields: "id") @guard__authenticated { id: ID! price: Money state: State! ownerId: ID @inaccessible }
   enum State { DRAFT }`,
  'extend type Query { me: Listing @guard__authenticated } extend type Listing { createdAt: DateTime }',
);
const seo = source(
  'seo',
  'type Query { checks: Int @guard__public } type Listing @key(fields: "id") { id: ID! score: Int @guard__permission(name: "seo:edit", breadth: OWN) }',
);

test('assembleSdl merges the parts of a subgraph to one definition per type', () => {
  const { definitions } = parse(identity.sdl);
  const names = definitions.flatMap((node) =>
    'name' in node && node.name ? [`${node.kind} ${node.name.value}`] : [],
  );
  expect(new Set(names).size).toBe(names.length);
  expect(identity.sdl).toMatch(/type Query \{\s+listing[^}]+me: Listing/);
});

test('assembleSdl adds shared scalars and types only to the subgraphs that use them', () => {
  expect(identity.sdl).toMatch(
    /type Money @shareable[\s\S]*scalar|scalar MinorUnits[\s\S]*type Money @shareable/,
  );
  expect(seo.sdl).not.toMatch(/Money|DateTime|MinorUnits/);
});

test('assembleSdl throws an error with the file of an invalid document', () => {
  expect(() => assembleSdl([{ file: 'subgraphs/x/broken/schema.graphql', text: 'type {' }])).toThrow(
    /^subgraphs\/x\/broken\/schema.graphql: Syntax Error/,
  );
});

describe('the supergraph', () => {
  const { supergraph, api } = composeSupergraph([identity, seo]);
  const schema = buildSchema(supergraph);
  const guardOf = (type: 'Query' | 'Listing', field: string) => {
    const found = schema.getType(type);
    return found && 'getFields' in found ? readGuard(found.getFields()[field] as never) : null;
  };

  test('keeps every guard with its arguments, on root fields and on entity fields', () => {
    expect(guardOf('Query', 'listing')).toEqual({
      owner: { type: 'Listing', id: 'id', or: 'listings:moderate' },
    });
    expect(guardOf('Query', 'me')).toEqual({ authenticated: true });
    expect(guardOf('Query', 'checks')).toEqual({ public: true });
    expect(guardOf('Listing', 'score')).toEqual({ permission: { name: 'seo:edit', breadth: 'OWN' } });
  });

  test('has an API schema without guards, inaccessible members and unreachable types', () => {
    const types = Object.keys(buildSchema(api).getTypeMap()).filter((name) => !name.startsWith('__'));
    expect(types).toEqual(expect.arrayContaining(['Listing', 'Money', 'State']));
    expect(api).not.toMatch(/Breadth|RateClass|DealerRole|join__|@guard__owner|ownerId/);
  });

  test('is equal for equal subgraphs', () => {
    expect(composeSupergraph([identity, seo])).toEqual({ supergraph, api });
  });
});

test('composeSupergraph throws the message of the composer for subgraphs that do not compose', () => {
  const clash = source(
    'clash',
    'type Query { a: Int @guard__public } type Listing @key(fields: "id") { id: ID! state: String! }',
  );
  expect(() => composeSupergraph([identity, clash])).toThrow(/composition: .*state/s);
});

test('composeSupergraph refuses subgraphs that only one of the two composers refuses', () => {
  const alias = source(
    'alias',
    'type Query { a: Thing @guard__public } type Thing @key(fields: "name: id") @guard__public { id: ID! }',
  );
  expect(() => composeSupergraph([alias])).toThrow(/^composition: .*alias/s);
  const strict: typeof composeServices = () => ({
    errors: [new GraphQLError('First fault.'), new GraphQLError('Second fault.')],
  });
  expect(() => composeSupergraph([identity, seo], strict)).toThrow(
    /^second opinion: First fault\.\nSecond fault\.$/,
  );
});

test('findUndescribed lists every type, field and argument without a description', () => {
  const schema = buildSchema(`
    type Query { "Words." a("Words." x: Int, y: Int): A b: Int }
    "Words." type A { c: Int "Words." d: Int }
    input I { e: Int }
    enum E { F }
  `);
  expect(findUndescribed(schema)).toEqual(['A.c', 'E', 'I', 'I.e', 'Query.a(y:)', 'Query.b']);
});
