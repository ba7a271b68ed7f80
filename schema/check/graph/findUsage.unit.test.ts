import { buildSchema } from 'graphql';
import { diffApi } from './diffApi.ts';
import { findUsage, type Usage } from './findUsage.ts';

function diff(before: string, after: string, usage: Usage): [string, string][] {
  return diffApi(buildSchema(before), buildSchema(after), usage).map(({ severity, id }) => [severity, id]);
}

const shop = `
  type Query { node(id: ID!): Node list(filter: Filter): [Listing] other: Other }
  interface Node { id: ID! }
  type Listing implements Node { id: ID! title: String hidden: Int seller: Seller }
  type Seller { name: String }
  type Other { name: String }
  input Filter { inner: Inner }
  input Inner { a: Int b: Int }
  input Unused { a: Int b: Int }
`;

test.each<[string, string, string, string[]]>([
  [
    'selected by a fragment',
    '{ list { ...f } } fragment f on Listing { title }',
    'title: String ',
    ['breaking'],
  ],
  ['selected on an interface of its type', '{ node(id: 1) { id } }', 'title: String ', ['dangerous']],
  ['not selected', '{ list { title } }', 'hidden: Int ', ['dangerous']],
  [
    'in an input that a variable holds',
    'query q($f: Filter) { list(filter: $f) { id } }',
    'inner: Inner',
    ['breaking'],
  ],
  [
    'in an input inside of one that a field takes',
    '{ list { id } }',
    ' b: Int }\n  input Unused',
    ['breaking'],
  ],
])('a removed field that is %s is judged by that', (_, operation, removed, severities) => {
  const rest = removed.includes('\n') ? ' }\n  input Unused' : '';
  const after =
    removed === 'inner: Inner' ? shop.replace(removed, 'outer: Inner') : shop.replace(removed, rest);
  const usage = findUsage(buildSchema(shop), [operation]);
  const found = diff(shop, after, usage).filter(([, id]) => id.startsWith('field-removed:'));
  expect(found.map(([severity]) => severity)).toEqual(severities);
});

test('a type behind an interface that an operation selects counts as used', () => {
  const usage = findUsage(buildSchema(shop), ['{ node(id: 1) { id } }']);
  expect([usage.usesType('Listing'), usage.usesField('Listing', 'id')]).toEqual([true, true]);
  expect([usage.usesType('Other'), usage.usesField('Listing', 'title')]).toEqual([false, false]);
});
