import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { ExecutionModel } from '../../platform/idempotency/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { hashOpaqueToken } from '../../platform/token/opaqueToken.ts';
import { DealerModel } from '../dealer/model.ts';
import { MailModel } from '../mail/model.ts';
import { ApiClientModel } from './model.ts';

const world = product();
const { market } = world;
const create = `mutation ($input: CreateDealerApiClientInput!) { createDealerApiClient(input: $input) {
  clientSecret apiClient { id name scopes secretLast4 allowedCidrs expiresAt lastUsedAt createdBy createdAt }
} }`;
const remove = `mutation ($input: DeleteDealerApiClientInput!) {
  deleteDealerApiClient(input: $input) { deletedClientId } }`;
const list = `query ($dealerId: ID!, $first: Int, $after: String) {
  dealerApiClients(dealerId: $dealerId, first: $first, after: $after) {
    nodes { id name secretLast4 } pageInfo { hasNextPage endCursor } } }`;
const issue = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }';

const run = (source: string, variables: Record<string, unknown>, as?: SeededUser | string) =>
  world.stack.execute(source, variables, { as: as ?? null, installation: market.installation });
const make = ({ id, owner }: SeededDealer, members: object = {}, as: SeededUser | string = owner) =>
  run(create, { input: { dealerId: id, name: 'Stock system', scopes: ['listings:read'], ...members } }, as);
const made = async (dealer: SeededDealer, members: object = {}) => {
  const { data, errors } = await make(dealer, members);
  if (errors) throw errors[0];
  return data?.createDealerApiClient;
};
const signIn = async (clientId: string, clientSecret: string): Promise<string> => {
  const result = await run(issue, { input: { grantType: 'client_credentials', clientId, clientSecret } });
  if (result.errors) throw result.errors[0];
  return result.data?.issueToken.tokens.accessToken;
};
const clients = () => scoped(ApiClientModel, market.installation.id);
const auditsOf = (id: string) => scoped(AuditEventModel, market.installation.id).find({ 'target.id': id });

test('an owner gets a client with a secret that only its hash is kept of', async () => {
  const dealer = await market.dealer();
  const expiresAt = new Date(world.stack.platform.now() + 86_400_000).toISOString();
  const { clientSecret, apiClient } = await made(dealer, {
    name: '  Stock system ',
    scopes: ['listings:write', 'listings:read', 'listings:write'],
    allowedCidrs: ['2001:DB8::/32', '203.0.113.0/24'],
    expiresAt,
  });
  expect(clientSecret).toMatch(/^[\w-]{43}$/);
  expect(apiClient).toEqual({
    id: expect.stringMatching(/^cli_/),
    name: 'Stock system',
    scopes: ['listings:read', 'listings:write'],
    secretLast4: clientSecret.slice(-4),
    allowedCidrs: ['2001:db8::/32', '203.0.113.0/24'],
    expiresAt,
    lastUsedAt: null,
    createdBy: dealer.owner.id,
    createdAt: expect.any(String),
  });
  const stored = await clients().findOne({ _id: apiClient.id });
  expect(stored?.secretHash).toBe(hashOpaqueToken(clientSecret));
  expect(JSON.stringify(stored)).not.toContain(clientSecret);
});

test('whoever made it is remembered, and every owner is told', async () => {
  const partner = await market.user();
  const dealer = await market.dealer({
    members: [
      { userId: partner.id, role: 'owner' },
      { userId: (await market.user()).id, role: 'manager' },
    ],
  });
  const { apiClient } = await made(dealer, { name: 'Feed' });
  expect(await auditsOf(apiClient.id)).toEqual([
    expect.objectContaining({
      action: 'createDealerApiClient',
      actor: { type: 'user', id: dealer.owner.id },
      result: 'allowed',
      reason: 'Feed',
    }),
  ]);
  const mails = await scoped(MailModel, market.installation.id).find({ template: 'apiClientCreated' });
  const told = mails.map(({ to }) => to).filter((to) => [dealer.owner.email, partner.email].includes(to));
  expect(told.sort()).toEqual([dealer.owner.email, partner.email].sort());
});

test.each([
  ['no name', { name: '  ' }, ['#/name']],
  ['a long name', { name: 'x'.repeat(61) }, ['#/name']],
  ['a name that turns its direction', { name: 'a\u202eb' }, ['#/name']],
  ['no scope', { scopes: [] }, ['#/scopes']],
  ['unknown scopes', { scopes: ['listings:read', 'users:read', '*'] }, ['#/scopes/1', '#/scopes/2']],
  [
    'no networks',
    { allowedCidrs: ['10.0.0.0/8', 'everywhere', '10.0.0.1'] },
    ['#/allowedCidrs/1', '#/allowedCidrs/2'],
  ],
  [
    'too many networks',
    { allowedCidrs: Array.from({ length: 21 }, (_, n) => `10.0.${n}.0/24`) },
    ['#/allowedCidrs'],
  ],
  ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, ['#/expiresAt']],
  [
    'everything wrong',
    { name: '', scopes: ['x'], allowedCidrs: ['x'] },
    ['#/name', '#/scopes/0', '#/allowedCidrs/0'],
  ],
])('%s is refused with a pointer to it', async (_, members, pointers) => {
  const dealer = await market.dealer();
  const { code, errors } = problemOf(await make(dealer, members));
  expect(code).toBe('validation_failed');
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  expect(await clients().count({ dealerId: dealer.id })).toBe(0);
});

test('managers see the clients and make none; agents see none', async () => {
  const [manager, agent] = [await market.user(), await market.user()];
  const dealer = await market.dealer({
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
  const { apiClient } = await made(dealer);
  const shown = await run(list, { dealerId: dealer.id }, manager);
  expect(shown.data?.dealerApiClients.nodes).toEqual([expect.objectContaining({ id: apiClient.id })]);
  expect(problemOf(await run(list, { dealerId: dealer.id }, agent)).code).toBe('dealer_role_required');
  expect(problemOf(await make(dealer, {}, manager)).code).toBe('dealer_role_required');
  const input = { dealerId: dealer.id, clientId: apiClient.id };
  expect(problemOf(await run(remove, { input }, manager)).code).toBe('dealer_role_required');
});

test('a dealer that is suspended gets no new clients, and may take old ones away', async () => {
  const dealer = await market.dealer();
  const { apiClient } = await made(dealer);
  await scoped(DealerModel, market.installation.id).findOneAndUpdate(
    { _id: dealer.id },
    { $set: { state: 'suspended' } },
  );
  expect(problemOf(await make(dealer)).code).toBe('dealer_not_active');
  const input = { dealerId: dealer.id, clientId: apiClient.id };
  expect((await run(remove, { input }, dealer.owner)).errors).toBeUndefined();
});

test('of fifty that are made at once ten find a place, and a deletion makes room', async () => {
  const dealer = await market.dealer();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => make(dealer, { name: `Client ${n}` })),
  );
  const codes = results.map((result) => (result.errors ? problemOf(result).code : 'made'));
  expect(codes.filter((code) => code === 'made')).toHaveLength(10);
  expect(new Set(codes)).toEqual(new Set(['made', 'client_limit']));
  const stored = await clients().find({ dealerId: dealer.id });
  expect(stored).toHaveLength(10);
  expect(
    await scoped(AuditEventModel, market.installation.id).count({
      'target.id': { $in: stored.map(({ _id }) => _id) },
    }),
  ).toBe(10);
  const input = { dealerId: dealer.id, clientId: stored[3]?._id };
  await run(remove, { input }, dealer.owner);
  expect((await make(dealer)).errors).toBeUndefined();
  expect(problemOf(await make(dealer)).code).toBe('client_limit');
}, 60_000);

describe('under an idempotency key', () => {
  test('a repetition shows the same client and secret, and none of it is kept in the open', async () => {
    const dealer = await market.dealer();
    const idempotencyKey = newId('client');
    const first = await made(dealer, { idempotencyKey });
    expect(await made(dealer, { idempotencyKey })).toEqual(first);
    expect(await clients().count({ dealerId: dealer.id })).toBe(1);
    const kept = await scoped(ExecutionModel, market.installation.id).find({});
    expect(JSON.stringify(kept)).toContain(first.apiClient.id);
    expect(JSON.stringify(kept)).not.toContain(first.clientSecret);
  });

  test('a run that died before its answer is finished by the next one, with a secret that is good', async () => {
    const dealer = await market.dealer();
    const idempotencyKey = newId('client');
    const lost = await made(dealer, { idempotencyKey });
    const executions = scoped(ExecutionModel, market.installation.id);
    const [execution] = (await executions.find({})).filter((one) =>
      JSON.stringify(one).includes(lost.apiClient.id),
    );
    await executions.findOneAndUpdate(
      { _id: String(execution?._id) },
      { $set: { state: 'running', payload: null, leaseUntil: new Date(0) } },
    );
    const answer = await made(dealer, { idempotencyKey });
    expect(answer.apiClient.id).toBe(lost.apiClient.id);
    expect(answer.clientSecret).not.toBe(lost.clientSecret);
    expect(await clients().count({ dealerId: dealer.id })).toBe(1);
    expect(await signIn(answer.apiClient.id, answer.clientSecret)).toEqual(expect.any(String));
  });
});

test('a deletion is remembered and ends every token of the client at once', async () => {
  const dealer = await market.dealer();
  const { apiClient, clientSecret } = await made(dealer);
  const token = await signIn(apiClient.id, clientSecret);
  const me = () => run('{ me { id } }', {}, token);
  expect((await me()).data?.me.id).toBe(apiClient.id);
  const input = { dealerId: dealer.id, clientId: apiClient.id };
  expect((await run(remove, { input }, dealer.owner)).data?.deleteDealerApiClient.deletedClientId).toBe(
    apiClient.id,
  );
  expect(problemOf(await me()).code).toBe('session_revoked');
  expect((await auditsOf(apiClient.id)).map(({ action }) => action).sort()).toEqual([
    'createDealerApiClient',
    'deleteDealerApiClient',
  ]);
  expect(problemOf(await run(remove, { input }, dealer.owner)).code).toBe('not_found');
});

test.each([
  ['of another dealer', async () => (await made(await market.dealer())).apiClient.id],
  ['that never was', async () => newId('client')],
  ['whose id is none', async () => 'cli_1'],
])('a client %s cannot be deleted, and stays', async (_, idOf) => {
  const dealer = await market.dealer();
  const clientId = await idOf();
  const before = await clients().count({});
  const input = { dealerId: dealer.id, clientId };
  expect(problemOf(await run(remove, { input }, dealer.owner)).code).toBe('not_found');
  expect(await clients().count({})).toBe(before);
});

test('the list goes on page by page, the newest first, for one command a page', async () => {
  const dealer = await market.dealer();
  for (const name of ['a', 'b', 'c']) {
    await made(dealer, { name });
    world.stack.advance(1000);
  }
  const page = async (after?: string) =>
    (await run(list, { dealerId: dealer.id, first: 2, after }, dealer.owner)).data?.dealerApiClients;
  await changesHeard();
  const first = await page();
  expect(first.nodes.map(({ name }: { name: string }) => name)).toEqual(['c', 'b']);
  const second = await page(first.pageInfo.endCursor);
  expect(second.nodes.map(({ name }: { name: string }) => name)).toEqual(['a']);
  expect(second.pageInfo.hasNextPage).toBe(false);
  expect(await commandsOf(() => page())).toEqual(['find api_clients']);
});
