import { perFile, product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';

const { market, stack, neighbour } = product();
const noon = Date.UTC(2026, 4, 2, 12);
const hourMs = 3_600_000;
const time = (ms: number) => new Date(ms).toISOString() as never;

const admin = perFile(() => market.staff('installation_admin'));
beforeAll(async () => {
  const dealer = await market.dealer();
  const { apiClient } = await dealer.owner.createDealerApiClient({
    dealerId: dealer.id,
    name: 'Stock system',
    scopes: ['listings:read'],
  });
  clientId = apiClient.id;
  const listings = {
    hash: 'a1',
    name: 'listings',
    coordinates: ['Query.listings', 'Listing.title', 'Sort.*'],
  };
  const me = { hash: 'b2', name: null, coordinates: ['Query.me', 'Me.id'] };
  const elsewhere = await neighbour();
  for (const [hours, client, route, operation, installation] of [
    [0, 'web', undefined, listings, market],
    [1, 'web', undefined, listings, market],
    [5, 'web', undefined, listings, market],
    [2, 'web', 'GET /api/v1/me', me, market],
    [3, clientId, 'GET /api/v1/me', me, market],
    [3, 'stranger', undefined, listings, elsewhere],
  ] as const) {
    stack.advance(noon + hours * hourMs - stack.platform.now());
    const { id: installationId } = installation.installation;
    const isNamed = client !== clientId;
    stack.platform.usage?.count({ installationId, client, isNamed, route, operation, isKnown: true });
  }
  await stack.platform.usage?.flush();
  stack.resetClock();
});
let clientId: string;

type Filter = NonNullable<Parameters<SeededUser['apiUsage']>[0]>['filter'];

const find = async (filter: Filter) => {
  const { nodes } = await admin.apiUsage({ filter });
  return nodes.map(({ client, route, operationName, count }) => [client, route ?? operationName, count]);
};

test('the use of a part of the schema is returned with its clients, counts and times', async () => {
  const { nodes } = await admin.apiUsage({ filter: { coordinate: 'Listing.title' } });
  expect(nodes).toEqual([
    {
      client: 'web',
      clientName: null,
      route: null,
      operationHash: 'a1',
      operationName: 'listings',
      coordinates: ['Query.listings', 'Listing.title', 'Sort.*'],
      count: 3,
      firstUsedAt: expect.stringMatching(/^2026-05-02T12:00/),
      lastUsedAt: expect.stringMatching(/^2026-05-02T17:00/),
    },
  ]);
});

test('an API client is returned with its name, and a REST route with its method and path', async () => {
  const { nodes } = await admin.apiUsage({ filter: { client: clientId } });
  const route = { route: 'GET /api/v1/me', operationHash: null, operationName: null };
  expect(nodes).toMatchObject([{ client: clientId, clientName: 'Stock system', ...route, count: 1 }]);
});

test.each<[string, () => Filter, [string, string, number][]]>([
  [
    'a type',
    () => ({ coordinate: 'Me' }),
    [
      ['cli', 'GET /api/v1/me', 1],
      ['web', 'GET /api/v1/me', 1],
    ],
  ],
  ['a type whose name another one begins with', () => ({ coordinate: 'M' }), []],
  [
    'a value of an enum that is used as a whole',
    () => ({ coordinate: 'Sort.PRICE' }),
    [['web', 'listings', 3]],
  ],
  ['an unused field', () => ({ coordinate: 'Listing.price' }), []],
  [
    'a route and a client',
    () => ({ route: 'GET /api/v1/me', client: 'web' }),
    [['web', 'GET /api/v1/me', 1]],
  ],
  [
    'a time within an hour',
    () => ({ coordinate: 'Query.listings', from: time(noon + 1.5 * hourMs), to: time(noon + 5 * hourMs) }),
    [['web', 'listings', 1]],
  ],
])('API usage is filtered by %s', async (_, filter, expected) => {
  const named = expected.map(([client, ...others]) => [client === 'cli' ? clientId : client, ...others]);
  expect(await find(filter())).toEqual(named);
});

test('API usage is read in pages without gaps', async () => {
  const found: unknown[] = [];
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const page = await admin.apiUsage({
      filter: { from: time(noon - hourMs), to: time(noon + 6 * hourMs) },
      first: 1,
      after,
    });
    found.push(...page.nodes.map(({ client, count }) => [client, count]));
    after = page.pageInfo.endCursor ?? null;
    hasNextPage = page.pageInfo.hasNextPage;
  }
  expect(found).toEqual([
    [clientId, 1],
    ['web', 1],
    ['web', 3],
  ]);
});

test.each<[string, Filter]>([
  ['a coordinate that is none', { coordinate: 'Listing title' }],
  ['a pattern', { coordinate: 'Listing.*' }],
  ['a time that ends before it begins', { from: time(noon), to: time(noon) }],
  ['a text of more than 200 characters', { client: 'x'.repeat(201) }],
])('API usage is refused for %s', async (_, filter) => {
  expect(await admin.apiUsage({ filter })).toBeRefused(400, 'malformed_request');
});
