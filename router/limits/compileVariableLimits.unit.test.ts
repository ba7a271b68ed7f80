import { buildSchema, type GraphQLError, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { compileVariableLimits } from './compileVariableLimits.ts';
import { type DocumentLimits, defaultLimits } from './DocumentLimits.ts';
import { combineRootFieldLimits, readRootFieldLimits } from './readRootFieldLimits.ts';

const schema = buildSchema(`
  directive @guard__limits(arrays: Int, bodyBytes: Int, timeoutMs: Int) on FIELD_DEFINITION
  scalar Json
  type Query {
    page(first: Int): Page!
    many(ids: [ID!], filter: Filter, json: Json): [Node]
    wide(ids: [ID!]): [Node] @guard__limits(arrays: 1000, timeoutMs: 15000)
    slow: Node @guard__limits(timeoutMs: 30000, bodyBytes: 1048576)
  }
  input Filter { ids: [ID!] inner: Filter }
  type Page { edges: [Edge] }
  type Edge { node: Node }
  type Node { id(among: [ID!]): ID page(first: Int): Page }
`);

function check(text: string, variables: Record<string, unknown>, limits: DocumentLimits = defaultLimits) {
  const document = parse(text);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (operation === undefined) throw new Error('no operation');
  const errors: readonly GraphQLError[] = compileVariableLimits(
    document,
    operation,
    schema,
    schema,
    limits,
  )(variables);
  expect(errors.every((error) => error.extensions.code === 'BAD_USER_INPUT')).toBe(true);
  return errors.map((error) => error.message);
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i));

describe('the limits of variables', () => {
  test('ignore values that the operation does not declare', () => {
    expect(check('{ page { edges { node { id } } } }', { first: 10_000 })).toEqual([]);
  });

  test('refuse a page size above 100 in a variable', () => {
    const text = 'query ($n: Int) { page(first: $n) { edges { node { id } } } }';
    expect(check(text, { n: 100 })).toEqual([]);
    expect(check(text, { n: 101 })).toEqual([
      'The argument "first" requests a page of 101; at most 100 are allowed.',
    ]);
  });

  test('refuse lists of more than 250 items at every level of a variable', () => {
    const text = 'query ($ids: [ID!], $filter: Filter) { many(ids: $ids, filter: $filter) { id } }';
    expect(check(text, { ids: ids(250) })).toEqual([]);
    expect(check(text, { ids: ids(251) })).toEqual([
      'The variable "$ids" has a list of 251 items; at most 250 are allowed.',
    ]);
    expect(check(text, { filter: { inner: { inner: { ids: ids(300) } } } })).toHaveLength(1);
  });

  test('allow longer lists with @guard__limits of a root field, also through a fragment, but not for other root fields', () => {
    const direct = 'query ($ids: [ID!]) { wide(ids: $ids) { id } }';
    const fragment = 'query ($ids: [ID!]) { ...A } fragment A on Query { wide(ids: $ids) { id } }';
    const below = 'query ($ids: [ID!]) { wide { ...A } } fragment A on Node { id(among: $ids) }';
    const both = 'query ($ids: [ID!]) { wide(ids: $ids) { id } many(ids: $ids) { id } }';
    expect(check(direct, { ids: ids(1000) })).toEqual([]);
    expect(check(direct, { ids: ids(1001) })).toHaveLength(1);
    expect(check(fragment, { ids: ids(1000) })).toEqual([]);
    expect(check(below, { ids: ids(1000) })).toEqual([]);
    expect(check(both, { ids: ids(251) })).toHaveLength(1);
  });

  test('refuse a value with 100,000 levels without recursion', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(check('query ($json: Json) { many(json: $json) { id } }', { json: deep })).toEqual([
      'The variable "$json" is nested too deep; at most 32 levels are allowed.',
    ]);
  });

  test('estimate nested pages with the page sizes in the variables', () => {
    const text = `query ($a: Int, $b: Int = 100) {
      page(first: $a) { edges { node { page(first: $b) { edges { node { id } } } } } }
    }`;
    expect(check(text, { a: 10 })).toEqual([]);
    expect(check(text, { a: 100, b: 10 })).toEqual([]);
    expect(check(text, { a: 100 })[0]).toMatch(/could return \d+ objects; at most 10000/);
  });
});

describe('@guard__limits', () => {
  test('of several root fields is combined to the highest values', () => {
    expect(readRootFieldLimits(schema, 'query' as never, 'wide')).toEqual({
      arrays: 1000,
      timeoutMs: 15_000,
    });
    expect(readRootFieldLimits(schema, 'query' as never, 'page')).toEqual({});
    expect(combineRootFieldLimits(schema, 'query' as never, ['wide', 'slow', 'page'])).toEqual({
      arrays: 1000,
      timeoutMs: 30_000,
      bodyBytes: 1_048_576,
    });
  });
});
