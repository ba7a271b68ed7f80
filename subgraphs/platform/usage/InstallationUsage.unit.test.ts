import { InstallationUsage } from './InstallationUsage.ts';
import { readClientName, type Usage, type UsedOperation } from './Usage.ts';

const noon = Date.UTC(2026, 4, 2, 12);
const hourMs = 3_600_000;

const operation = (hash: string): UsedOperation => ({
  hash,
  name: `name_${hash}`,
  coordinates: [`Query.${hash}`],
});

const one = operation('one');

function usageOf(members: Partial<Usage> = {}): Usage {
  return {
    installationId: 'ins_1',
    client: 'site',
    isNamed: true,
    route: undefined,
    operation: one,
    isKnown: false,
    ...members,
  };
}

const open = (limits: Partial<ConstructorParameters<typeof InstallationUsage>[0]> = {}) =>
  new InstallationUsage({ names: 10, operations: 10, buckets: 10, ...limits });

const inShort = (usage: InstallationUsage) =>
  usage.take().buckets.map(({ client, operation: used, count }) => `${client} ${used} ${count}`);

test('executions are counted by hour, client and operation, with their first and last time', () => {
  const usage = open();
  for (const ms of [5, 1000, 2000]) usage.count(usageOf(), noon + ms);
  usage.count(usageOf(), noon + hourMs);
  usage.count(usageOf({ client: undefined }), noon + hourMs);
  const { buckets, operations, overflow } = usage.take();
  expect(buckets).toEqual([
    { hourMs: noon, client: 'site', operation: 'one', count: 3, firstMs: noon + 5, lastMs: noon + 2000 },
    expect.objectContaining({ hourMs: noon + hourMs, client: 'site', count: 1 }),
    expect.objectContaining({ hourMs: noon + hourMs, client: '(unnamed)', count: 1 }),
  ]);
  expect(operations).toEqual([{ operation: 'one', name: 'name_one', coordinates: new Set(['Query.one']) }]);
  expect(overflow).toBe(0);
  expect(usage.take()).toEqual({ buckets: [], operations: [], overflow: 0 });
});

test('a route is counted by its name, with the coordinates of every operation that it executes', () => {
  const usage = open({ operations: 0 });
  for (const name of ['one', 'two'])
    usage.count(usageOf({ route: 'GET /a', operation: operation(name) }), noon);
  const { buckets, operations } = usage.take();
  expect(buckets).toMatchObject([{ operation: 'GET /a', count: 2 }]);
  expect(operations).toEqual([
    { operation: 'GET /a', name: null, coordinates: new Set(['Query.one', 'Query.two']) },
  ]);
});

test('an operation is stored once a day', () => {
  const usage = open();
  const isNoted = (ms: number) => {
    usage.count(usageOf(), ms);
    return usage.take().operations.length === 1;
  };
  expect([noon, noon + hourMs, noon + 24 * hourMs].map(isNoted)).toEqual([true, false, true]);
});

test('names beyond their number are counted as (other), and API clients are not limited', () => {
  const usage = open({ names: 1 });
  for (const client of ['a', 'b', 'c']) usage.count(usageOf({ client }), noon);
  usage.count(usageOf({ client: 'cli_1', isNamed: false }), noon);
  expect(inShort(usage)).toEqual(['a one 1', '(other) one 2', 'cli_1 one 1']);
});

test('operations beyond their number are counted as (other) and keep their coordinates', () => {
  const usage = open({ operations: 1 });
  for (const name of ['one', 'two', 'three']) usage.count(usageOf({ operation: operation(name) }), noon);
  usage.count(usageOf({ operation: operation('known'), isKnown: true }), noon);
  const { buckets, operations, overflow } = usage.take();
  expect(buckets.map(({ operation: used, count }) => [used, count])).toEqual([
    ['one', 1],
    ['(other)', 2],
    ['known', 1],
  ]);
  expect(operations[1]).toEqual({
    operation: '(other)',
    name: null,
    coordinates: new Set(['Query.two', 'Query.three']),
  });
  expect(overflow).toBe(2);
});

test('executions without room are counted in one bucket, which keeps the coordinates of stored operations', () => {
  const usage = open({ buckets: 1 });
  usage.count(usageOf(), noon);
  usage.take();
  const later = noon + hourMs;
  for (const client of ['first', 'a', 'b']) usage.count(usageOf({ client }), later);
  const { buckets, operations, overflow } = usage.take();
  expect(buckets.map(({ client, operation: used, count }) => [client, used, count])).toEqual([
    ['first', 'one', 1],
    ['(other)', '(other)', 2],
  ]);
  expect(operations).toEqual([{ operation: '(other)', name: null, coordinates: new Set(['Query.one']) }]);
  expect(overflow).toBe(2);
});

test('counts are limited in an hour, regardless of writes', () => {
  const usage = open({ buckets: 1 });
  const countAndTake = (client: string, ms: number) => {
    usage.count(usageOf({ client }), noon + ms);
    return inShort(usage);
  };
  expect(countAndTake('a', 0)).toEqual(['a one 1']);
  expect(countAndTake('b', 1000)).toEqual(['(other) (other) 1']);
  expect(countAndTake('a', 2000)).toEqual(['a one 1']);
  expect(countAndTake('b', hourMs)).toEqual(['b one 1']);
});

test('a batch that could not be stored is added to later counts', () => {
  const usage = open();
  usage.count(usageOf(), noon);
  const batch = usage.take();
  usage.count(usageOf(), noon + 1000);
  usage.putBack(batch);
  const { buckets, operations } = usage.take();
  expect(buckets).toMatchObject([{ count: 2, firstMs: noon, lastMs: noon + 1000 }]);
  expect(operations).toHaveLength(1);
});

test.each([
  ['dealer-sync', true],
  ['@acme/web', true],
  ['iOS 4.2', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['anna@example.com', false],
  ['cli_01', false],
  ['(other)', false],
  ['', false],
  [undefined, false],
])('the client name %p is accepted: %p', (name, isAccepted) => {
  expect(readClientName(name)).toBe(isAccepted ? name : undefined);
});
