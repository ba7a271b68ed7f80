import { buildSchema, parse } from 'graphql';
import type { RouteBinding } from '../route/RouteBinding.ts';
import { parseDeprecation } from './Deprecation.ts';
import { findUsedDeprecations } from './findUsedDeprecations.ts';
import { listDeprecations } from './listDeprecations.ts';
import { toMarkdown } from './toMarkdown.ts';

const days = 'Deprecated on 2026-11-28, removed after 2027-05-31.';

test('the reason of a deprecation states a replacement and two days', () => {
  expect(parseDeprecation(`Use title instead. ${days}`)).toEqual({
    reason: 'Use title instead.',
    since: '2026-11-28',
    until: '2027-05-31',
  });
});

test.each([
  'Use title instead.',
  days,
  'Use title instead. Deprecated on 2026-11-28.',
  'Use title instead. Deprecated on 2026-13-28, removed after 2027-05-31.',
  'Use title instead. Deprecated on 2027-05-31, removed after 2026-11-28.',
])('a reason without a replacement or without two days in order is invalid: %s', (text) => {
  expect(parseDeprecation(text)).toBeNull();
});

const schema = buildSchema(`
  type Query { item(id: ID!, locale: String @deprecated(reason: "a")): Item  items(filter: Filter, sort: Sort): [Item] }
  type Item { id: ID!  name: String @deprecated(reason: "b")  title: String }
  input Filter { text: String  word: String @deprecated(reason: "c") }
  enum Sort { NEW  OLD @deprecated(reason: "d") }
`);

test('every kind of deprecated member is listed by its coordinate', () => {
  expect(listDeprecations(schema)).toEqual([
    { coordinate: 'Query.item(locale:)', reason: 'a' },
    { coordinate: 'Item.name', reason: 'b' },
    { coordinate: 'Filter.word', reason: 'c' },
    { coordinate: 'Sort.OLD', reason: 'd' },
  ]);
});

test('the deprecated members that a document uses are found once each, also in fragments', () => {
  const document = parse(`
    { item(id: 1, locale: "de") { ...f title } items(filter: { word: "a", text: "b" }, sort: OLD) { name } }
    fragment f on Item { name }`);
  const used = findUsedDeprecations(schema, document).map(({ coordinate }) => coordinate);
  expect(used.sort()).toEqual(['Filter.word', 'Item.name', 'Query.item(locale:)', 'Sort.OLD']);
  expect(findUsedDeprecations(schema, parse('{ item(id: 1) { id title } items(sort: NEW) { id } }'))).toEqual(
    [],
  );
});

test('the page lists members and routes in the order of their removal', () => {
  const route = { method: 'GET', path: '/a' } as RouteBinding['route'];
  const deprecation = { reason: 'Use /b.', since: '2026-11-28', until: '2027-01-31' };
  const bindings = [
    { route, deprecation },
    { route, deprecation: null },
  ] as RouteBinding[];
  const page = toMarkdown([{ coordinate: 'Item.name', reason: `Use title. ${days}` }], bindings);
  expect(page).toMatch(
    /\| `GET \/a` \| Use \/b\. \| 2026-11-28 \| 2027-01-31 \|\n\| `Item\.name` \| Use title\. \| 2026-11-28 \| 2027-05-31 \|\n$/,
  );
  expect(toMarkdown([], [])).toMatch(/Nothing is deprecated\.\n$/);
});
