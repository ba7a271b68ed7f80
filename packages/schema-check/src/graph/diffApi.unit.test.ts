import { BreakingChangeType, buildSchema } from 'graphql';
import { diffApi } from './diffApi.ts';
import { findUsage, type Usage } from './findUsage.ts';
import { readGraphqlChange } from './readGraphqlChange.ts';

const everything: Usage = { usesField: () => true, usesType: () => true };
const query = 'type Query { a: Int }';

function diff(before: string, after: string, usage = everything): string[] {
  const changes = diffApi(buildSchema(before), buildSchema(after), usage);
  return changes.map(({ severity, id }) => `${severity} ${id}`);
}

// Every kind of change is in `test/schema-check`; these changes are less severe than their kind.
test.each([
  ['a removed scalar', `${query} scalar T`, query, ['safe type-removed:T']],
  [
    'a value added to an enum that only arguments have',
    'type Query { a(b: T): Int } enum T { A }',
    'type Query { a(b: T): Int } enum T { A B }',
    ['safe enum-value-added:T.B'],
  ],
  [
    'a new type of an interface',
    `${query} interface I { a: Int }`,
    `${query} interface I { a: Int } type T implements I { a: Int }`,
    ['safe type-added:T', 'dangerous possible-type-added:I.T'],
  ],
])('reports %s with its severity', (_, before, after, changes) => {
  expect(diff(before, after)).toEqual(changes);
});

test('throws if graphql-js has reworded the description of a change', () => {
  const change = { type: BreakingChangeType.FIELD_REMOVED, description: 'T.a has left.' };
  expect(() => readGraphqlChange(change)).toThrow(
    /^graphql describes FIELD_REMOVED in new words: T.a has left.$/,
  );
});

const shop = `
  type Query { node(id: ID!): Node list(filter: Filter): [Listing] other: Other }
  interface Node { id: ID! }
  type Listing implements Node { id: ID! title: String hidden: Int seller: Seller }
  type Seller { name: String }
  type Other { name: String }
  input Filter { inner: Inner }
  input Inner { a: Int b: Int }
`;

test.each([
  [
    'selected by a fragment',
    '{ list { ...f } } fragment f on Listing { title }',
    'title: String',
    'breaking',
  ],
  ['selected on its interface only', '{ node(id: 1) { id } }', 'title: String', 'dangerous'],
  ['not selected', '{ list { title } }', 'hidden: Int', 'dangerous'],
  [
    'in an input of a variable',
    'query q($f: Filter) { list(filter: $f) { id } }',
    'inner: Inner',
    'breaking',
  ],
  ['in an input within that of a selected field', '{ list { id } }', 'b: Int', 'breaking'],
])('the removal of a field that is %s gets its severity from its use', (_, operation, field, severity) => {
  const after = shop.replace(field, field === 'inner: Inner' ? 'outer: Inner' : '');
  const changes = diff(shop, after, findUsage(buildSchema(shop), [operation]));
  const removed = changes.filter((change) => change.includes('field-removed:'));
  expect(removed).toEqual([expect.stringMatching(`^${severity} `)]);
});

test('the removal of a field or type is breaking if no operation is known', () => {
  const after = shop
    .replace('hidden: Int', '')
    .replace('other: Other', '')
    .replace('type Other { name: String }', '');
  expect(diff(shop, after, findUsage(buildSchema(shop), []))).toEqual([
    'breaking type-removed:Other',
    'breaking field-removed:Query.other',
    'breaking field-removed:Listing.hidden',
  ]);
});

test('a type of an interface counts as used if an operation selects the interface', () => {
  const usage = findUsage(buildSchema(shop), ['{ node(id: 1) { id } }']);
  expect([usage.usesType('Listing'), usage.usesField('Listing', 'id')]).toEqual([true, true]);
  expect([usage.usesType('Other'), usage.usesField('Listing', 'title')]).toEqual([false, false]);
});
