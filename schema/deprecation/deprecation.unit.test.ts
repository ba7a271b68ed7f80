import { buildSchema } from 'graphql';
import { toDeprecatedParts } from './DeprecatedPart.ts';
import { parseDeprecation } from './Deprecation.ts';
import { deprecationTable } from './deprecationTable.ts';
import { listDeprecations } from './listDeprecations.ts';

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

test('the table lists members and routes in the order of their removal', () => {
  const deprecated = { method: 'GET', path: '/a' };
  const routes = [
    { route: deprecated, deprecation: { reason: 'Use /b.', since: '2026-11-28', until: '2027-01-31' } },
    { route: { method: 'GET', path: '/c' }, deprecation: null },
  ];
  const parts = toDeprecatedParts([{ coordinate: 'Item.name', reason: `Use title. ${days}` }], routes);
  expect(deprecationTable(parts)).toBe(
    [
      '| Member | Reason | Deprecated on | Removed after |',
      '|---|---|---|---|',
      '| `GET /a` | Use /b. | 2026-11-28 | 2027-01-31 |',
      '| `Item.name` | Use title. | 2026-11-28 | 2027-05-31 |',
    ].join('\n'),
  );
  expect(deprecationTable([])).toBe('Nothing is deprecated.');
});
