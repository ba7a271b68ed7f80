import { buildSchema, GraphQLError, getIntrospectionQuery, parse } from 'graphql';
import { cpuMsOf } from '../../test/support/cpuMsOf.ts';
import { checkDocumentLimits } from './checkDocumentLimits.ts';
import { defaultLimits } from './DocumentLimits.ts';
import { parseWithin } from './parseWithin.ts';

const schema = buildSchema(`
  directive @guard__limits(arrays: Int, bodyBytes: Int, timeoutMs: Int) on FIELD_DEFINITION
  type Query {
    node: Node
    page(first: Int = 20, limit: Int): Page!
    list(first: Int): [Node!]!
    many(ids: [ID!], filter: Filter): [Node]
    wide(ids: [ID!]): Node @guard__limits(arrays: 1000)
  }
  input Filter { ids: [ID!] inner: Filter }
  type Page { edges: [Edge] total: Int }
  type Edge { node: Node }
  type Node { id: ID child: Node children: [Node!] page(first: Int): Page }
`);

const check = (text: string, limits: Partial<typeof defaultLimits> = {}) =>
  checkDocumentLimits(parse(text), schema, { ...defaultLimits, ...limits });
const refusals = (...given: Parameters<typeof check>) => check(...given).map(({ message }) => message);
const codeOf = (...given: Parameters<typeof check>) => check(...given)[0]?.extensions.code;
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

const nested = (levels: number): string =>
  levels === 1 ? '{ id }' : `{ ${levels % 2 === 0 ? 'child' : 'node: child'} ${nested(levels - 1)} }`;

describe('the limits of documents', () => {
  test('allow a usual operation and the introspection query of clients', () => {
    expect(refusals('{ page(first: 100) { edges { node { id child { id } } } } }')).toEqual([]);
    expect(
      refusals(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, oneOf: true })),
    ).toEqual([]);
  });

  test('refuse a document with too many tokens while it is parsed', () => {
    const text = `{ ${'node { id } '.repeat(500)} }`;
    expect(() => parseWithin(text, defaultLimits)).toThrow(/2000 tokens/);
    expect(() => parseWithin('{ node', defaultLimits)).toThrow(GraphQLError);
    expect(parseWithin('{ node { id } }', defaultLimits).definitions).toHaveLength(1);
  });

  test('count the depth through fragments and state the limit and the value', () => {
    const open = '{ node { child { child { child { child { child {';
    const text = `${open} ...A } } } } } } } fragment A on Node { child { child { ...B } } } fragment B on Node { child { child { child { child { child { id } } } } } }`;
    expect(refusals(text)).toEqual(['The operation is 14 levels deep; at most 12 are allowed.']);
    expect(codeOf(text)).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(refusals(`{ node ${nested(11)} }`)).toEqual([]);
    expect(refusals(`{ node ${nested(12)} }`)).toEqual([
      'The operation is 13 levels deep; at most 12 are allowed.',
    ]);
  });

  test.each<[string, string, Partial<typeof defaultLimits>?]>([
    [
      `{ node { ${repeat(31, (i) => `a${i}: id`)} } }`,
      'The operation has 31 aliases; at most 30 are allowed.',
    ],
    [`{ ${repeat(21, () => 'node { id }')} }`, 'The operation has 21 root fields; at most 20 are allowed.'],
    [
      `{ node { ${repeat(51, () => 'id @include(if: true)')} } }`,
      'The document has 51 directives; at most 50 are allowed.',
    ],
    [
      `{ node { ${repeat(40, () => 'id')} } }`,
      'The operation selects 41 fields; at most 40 are allowed.',
      { selections: 40 },
    ],
  ])('%.20s… is refused: %s', (text, message, limits = {}) => {
    expect(refusals(text, limits)).toEqual([message]);
  });

  test('count aliases and root fields of a fragment once per use', () => {
    const text = '{ ...A ...A } fragment A on Query { x: node { y: id } z: node { id } }';
    expect(refusals(text, { aliases: 5, rootFields: 3 })).toEqual([
      'The operation has 6 aliases; at most 5 are allowed.',
      'The operation has 4 root fields; at most 3 are allowed.',
    ]);
  });

  test('measure fragments that double thirty times in linear time', () => {
    const double = (i: number) =>
      `fragment F${i} on Node { child { ...F${i + 1} } x: child { ...F${i + 1} } }`;
    const text = `{ node { ...F0 } } ${repeat(30, double)} fragment F30 on Node { id }`;
    let messages: string[] = [];
    const cpuMs = cpuMsOf(() => {
      messages = refusals(text, { depth: 100, aliases: 1e12 });
    });
    expect(cpuMs).toBeLessThan(500);
    expect(messages.some((message) => message.startsWith('The operation selects'))).toBe(true);
  });

  test('leave cyclic fragments and unknown fragments, fields and types to validation', () => {
    expect(refusals('{ node { ...A } } fragment A on Node { child { ...A ...Missing } }')).toEqual([]);
    expect(refusals('{ nothing(first: 5) { here { is } } ... on Unknown { known } }')).toEqual([]);
  });

  test('refuse pages larger than 100 for each page size argument', () => {
    expect(refusals('{ page(first: 101) { total } }')).toEqual([
      'The argument "first" requests a page of 101; at most 100 are allowed.',
    ]);
    expect(refusals('{ page(limit: 100000) { total } }')[0]).toContain('"limit" requests a page of 100000');
    expect(codeOf('{ page(first: 101) { total } }')).toBe('BAD_USER_INPUT');
  });

  test('refuse lists of more than 250 items, unless @guard__limits of the root field allows them', () => {
    const ids = (count: number) => `[${repeat(count, (i) => `"${i}"`)}]`;
    expect(refusals(`{ many(ids: ${ids(250)}) { id } }`)).toEqual([]);
    expect(refusals(`{ many(ids: ${ids(251)}) { id } }`)).toEqual([
      'A list has 251 items; at most 250 are allowed.',
    ]);
    expect(refusals(`{ many(filter: { inner: { ids: ${ids(251)} } }) { id } }`)).toHaveLength(1);
    expect(refusals(`{ wide(ids: ${ids(1000)}) { id } }`)).toEqual([]);
    expect(refusals(`{ wide(ids: ${ids(1001)}) { id } }`)).toEqual([
      'A list has 1001 items; at most 1000 are allowed.',
    ]);
  });

  test('multiply the sizes of nested pages, without counting edges again', () => {
    const text = (outer: number, inner: number) =>
      `{ page(first: ${outer}) { edges { node { id page(first: ${inner}) { edges { node { id } } } } } } }`;
    expect(refusals(text(50, 50))).toEqual([]);
    expect(refusals(text(100, 100))).toEqual([
      'The operation could return 20301 objects; at most 10000 are allowed. Request smaller pages.',
    ]);
    expect(codeOf(text(100, 100))).toBe('BAD_USER_INPUT');
  });

  test('count a list without a page size as ten items', () => {
    const levels = (count: number): string => (count === 0 ? '{ id }' : `{ children ${levels(count - 1)} }`);
    expect(refusals(`{ node ${levels(3)} }`)).toEqual([]);
    expect(refusals(`{ node ${levels(4)} }`)).toHaveLength(1);
  });

  test('refuse introspection but not __typename if introspection is disabled', () => {
    expect(refusals('{ __schema { queryType { name } } }', { introspection: false })).toEqual([
      'Introspection is disabled.',
    ]);
    expect(refusals('{ __typename node { __typename } }', { introspection: false })).toEqual([]);
  });
});
