import { buildSchema } from 'graphql';
import { toChange } from '../Change.ts';
import { findUsers } from './findUsers.ts';
import { judgeByUsage } from './judgeByUsage.ts';
import { parseUsage } from './readUsage.ts';
import { defaultRules, type UsageRules } from './Usage.ts';

const nowMs = Date.UTC(2026, 10, 27, 12);

const schema = buildSchema(`
  type Query { node: Node find: Found items(sort: Sort, filter: Filter): [Item] }
  interface Node { id: ID }
  type Item implements Node { id: ID title: String }
  type Shop { name: String }
  union Found = Item | Shop
  enum Sort { TITLE PRICE }
  input Filter { text: String brand: String }
`);

const count = (daysAgo: number, client: string, operation: string, times: number, clientName?: string) => {
  const at = new Date(nowMs - daysAgo * 86_400_000).toISOString();
  return { day: at.slice(0, 10), client, clientName, operation, count: times, lastUsedAt: at };
};

const read = (lines: readonly object[], rules: Partial<UsageRules> = {}) =>
  parseUsage(lines.map((line) => JSON.stringify(line)).join('\n'), 'usage.jsonl', {
    rules: { ...defaultRules, ...rules },
    nowMs,
  });

const using = (...coordinates: string[]) => ({ operation: 'a', coordinates });

test('counts of a client add up over days within the window, under the name of the client', () => {
  const usage = read([
    using('Item.title'),
    count(0, 'cli_1', 'a', 2, 'Stock'),
    count(3, 'cli_1', 'a', 5, 'Stock'),
    count(31, 'cli_1', 'a', 100, 'Stock'),
  ]);
  expect(usage.recordedDays).toBe(2);
  expect(usage.operations).toEqual([
    {
      operation: 'a',
      coordinates: ['Item.title'],
      uses: [{ client: 'Stock', count: 7, lastUsedAt: '2026-11-27T12:00:00.000Z' }],
    },
  ]);
});

test.each([
  ['a field', 'Item.title', 'Item.title', true],
  ['another field', 'Item.title', 'Item.id', false],
  ['the type of a field', 'Item.title', 'Item', true],
  ['a field of a type behind an interface', 'Node.id', 'Item.id', true],
  ['the type that a field returns', 'Query.items', 'Item', true],
  ['a member of a returned union', 'Query.find', 'Shop', true],
  ['an argument', 'Query.items(sort:)', 'Query.items(sort:)', true],
  ['the field of an argument', 'Query.items(sort:)', 'Query.items(filter:)', false],
  ['a value of an enum that is used as a whole', 'Sort.*', 'Sort.PRICE', true],
  ['another value of an enum', 'Sort.TITLE', 'Sort.PRICE', false],
  ['a member of an input object that is used as a whole', 'Filter.*', 'Filter.brand', true],
  ['a field of a type that is not in the schema', 'Gone.a', 'Gone.a', true],
])('the use of a part of the schema is found for %s', (_, used, part, isFound) => {
  const users = findUsers(read([using(used), count(0, 'web', 'a', 1)]), schema);
  expect(users.of(part).length > 0).toBe(isFound);
});

test('fewer executions than the minimum, and those of excluded clients, are no use', () => {
  const lines = [using('Item.title'), count(0, 'web', 'a', 2), count(0, 'cli_1', 'a', 5, 'Probe')];
  const isUsed = (rules: Partial<UsageRules>) =>
    findUsers(read(lines, rules), schema).usesField('Item', 'title');
  expect(isUsed({ minimumCount: 7 })).toBe(true);
  expect(isUsed({ minimumCount: 8 })).toBe(false);
  expect(isUsed({ excludeClients: ['web'] })).toBe(true);
  expect(isUsed({ excludeClients: ['web', 'Probe'] })).toBe(false);
  expect(read(lines, { excludeClients: ['web', 'cli_1'] }).recordedDays).toBe(1);
});

const judge = (
  change: ReturnType<typeof toChange>,
  lines: readonly object[],
  rules?: Partial<UsageRules>,
) => {
  const usage = read(lines, rules);
  const [judged] = judgeByUsage([change], findUsers(usage, schema), usage);
  return `${judged?.severity}: ${judged?.message}`;
};

const removed = toChange('field-removed', 'Item.title', 'Gone.');

test('a breaking change states the clients that use the part, and the time of the last use', () => {
  expect(judge(removed, [using('Item.title'), count(0, 'dealer-sync', 'a', 14_201)])).toBe(
    'breaking: Gone. Used by client `dealer-sync` 14,201 times in 30 days, last used 2026-11-27T12:00Z.',
  );
  const clients = ['a', 'b', 'c', 'd', 'e'].map((client, index) => count(index, client, 'a', 9 - index));
  expect(judge(removed, [using('Item.title'), ...clients])).toContain(
    'client `a` 9 times, client `b` 8 times, client `c` 7 times and 2 further clients in 30 days',
  );
});

test('the removal of an unused part is dangerous, and breaking with too few recorded days', () => {
  const days = [using('Item.id'), ...[0, 1, 2].map((day) => count(day, 'web', 'a', 1))];
  expect(judge(removed, days, { minimumDays: 3 })).toBe(
    'dangerous: Gone. No client used it on 3 recorded days of the last 30.',
  );
  expect(judge(removed, days, { minimumDays: 4 })).toBe(
    'breaking: Gone. No client used it on 3 recorded days of the last 30; 4 are needed.',
  );
});

test('another breaking change than a removal remains breaking without use', () => {
  const changed = toChange('field-type-changed', 'Item.title', 'Changed.');
  expect(judge(changed, [count(0, 'web', 'a', 1)], { minimumDays: 1 })).toBe('breaking: Changed.');
});

test.each([
  ['a change of a route', toChange('response-property-removed', 'GET /items/{id} 200 title', 'Gone.')],
  ['a required argument', toChange('required-argument-added', 'Query.items(shop:)', 'Gone.')],
  ['a required member of an input object', toChange('required-input-field-added', 'Filter.shop', 'Gone.')],
])('%s states the users of what it belongs to', (_, change) => {
  const operation = 'GET /items/{id}';
  const coordinates = ['Query.items', 'Filter.*'];
  expect(judge(change, [{ operation, coordinates }, count(0, 'web', operation, 1)])).toContain(
    'Used by client `web`',
  );
});

test.each([
  ['text that is not JSON', '{'],
  ['a line without a day', '{"client":"a","operation":"a","count":1,"lastUsedAt":"2026"}'],
  ['null', 'null'],
])('usage is refused for %s, with its line', (_, line) => {
  const parse = () => parseUsage(`\n${line}`, 'usage.jsonl', { rules: defaultRules, nowMs });
  expect(parse).toThrow('usage.jsonl, line 2 is not an entry of a usage ledger');
});
