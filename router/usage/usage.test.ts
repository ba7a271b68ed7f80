import { UsageCountModel, UsageOperationModel } from '../../subgraphs/platform/usage/model.ts';
import { product } from '../../test/support/product.ts';
import { interceptWrites } from '../../test/support/stack/interceptWrites.ts';

const { market, stack, send, neighbour } = product();

const query = (text: string, headers: [string, string][] = []) =>
  send({
    method: 'POST',
    path: '/graphql',
    headers: [['content-type', 'application/json'], ...headers],
    body: JSON.stringify({ query: text }),
  });

const counts = async () => {
  await stack.platform.usage?.flush();
  return market.records(UsageCountModel).find({}, { sort: { client: 1 } });
};

const usageOf = (client: string) => ({
  installationId: market.installation.id,
  client,
  isNamed: true,
  route: `GET /${client}`,
  operation: { hash: client, name: null, coordinates: [`Query.${client}`] },
  isKnown: true,
});

test('executions over REST and GraphQL are counted by client, route and operation', async () => {
  const anna = await market.user();
  const named = { 'apollographql-client-name': 'dealer-sync' };
  for (let call = 0; call < 2; call += 1) await anna.rest('GET', '/api/v1/me', { headers: named });
  await query('query shown { languages { items { code } } }', Object.entries(named));
  await query('{ me { id } }');
  const found = await counts();
  expect(found.map(({ client, operation, count }) => [client, operation, count])).toEqual(
    expect.arrayContaining([
      ['dealer-sync', 'GET /api/v1/me', 2],
      ['dealer-sync', expect.stringMatching(/^[0-9a-f]{32}$/), 1],
      ['(unnamed)', expect.stringMatching(/^[0-9a-f]{32}$/), 1],
    ]),
  );
  const [first] = found;
  const dayMs = 86_400_000;
  expect(first?.hour.getTime()).toBe(Math.floor(Number(first?.firstUsedAt) / 3_600_000) * 3_600_000);
  expect(Number(first?.expiresAt) - Number(first?.hour)).toBe(90 * dayMs);
  const operations = await market.records(UsageOperationModel).find({});
  expect(operations.find(({ operation }) => operation === 'GET /api/v1/me')?.coordinates).toEqual(
    expect.arrayContaining(['Query.me', 'Me.emailVerified']),
  );
  expect(operations.find(({ name }) => name === 'shown')?.coordinates).toEqual([
    'Query.languages',
    'LanguageList.items',
    'Language.code',
  ]);
});

test('executions of an API client are counted by its id, whatever name it states', async () => {
  const dealer = await market.dealer();
  const { clientSecret, apiClient } = await dealer.owner.createDealerApiClient({
    dealerId: dealer.id,
    name: 'Stock system',
    scopes: ['listings:read'],
  });
  const input = { grantType: 'client_credentials', clientId: apiClient.id, clientSecret };
  const { tokens } = await market.visitor.issueToken(input, 'tokens { accessToken }');
  const client = market.caller(tokens.accessToken);
  await client.rest('GET', '/api/v1/listings', { headers: { 'apollographql-client-name': 'spoofed' } });
  const found = (await counts()).filter(({ operation }) => operation === 'GET /api/v1/listings');
  expect(found).toMatchObject([{ client: apiClient.id, count: 1 }]);
});

test('counts of one hour add up over writes and processes, within their installation', async () => {
  const other = await neighbour();
  const successor = await stack.successor();
  const usage = usageOf('adding');
  for (const { usage: ledger } of [stack.platform, successor.platform, stack.platform]) {
    ledger?.count(usage);
    await ledger?.flush();
  }
  await successor.close();
  expect((await counts()).filter(({ client }) => client === 'adding')).toMatchObject([{ count: 3 }]);
  expect(await other.records(UsageCountModel).find({ client: 'adding' })).toEqual([]);
});

test('counts that could not be stored are stored at the next write', async () => {
  stack.platform.usage?.count(usageOf('waiting'));
  interceptWrites(async (write, run) => {
    if (write === 'usage_counts.bulkWrite') throw new Error('The database is unavailable.');
    return run();
  });
  await stack.platform.usage?.flush();
  interceptWrites(null);
  expect(await market.records(UsageCountModel).find({ client: 'waiting' })).toEqual([]);
  stack.platform.usage?.count(usageOf('waiting'));
  expect((await counts()).filter(({ client }) => client === 'waiting')).toMatchObject([{ count: 2 }]);
});

test('a request that is refused before its execution is not counted', async () => {
  const before = await counts();
  await market.visitor.rest('GET', '/api/v1/admin/roles');
  await query('{ nothing }');
  expect(await counts()).toEqual(before);
});
