import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { hashOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { CreateDealerApiClientInput } from '../../identity.generated.ts';
import { MailModel } from '../../mail/model.ts';
import { DealerModel } from '../dealer/model.ts';
import { ApiClientModel } from './model.ts';

const { market, stack } = product();
const create = ({ id, owner }: SeededDealer, members: Partial<Wire<CreateDealerApiClientInput>> = {}) =>
  owner.createDealerApiClient({
    dealerId: id,
    name: 'Stock system',
    scopes: ['listings:read'],
    ...members,
  });
const remove = ({ id, owner }: SeededDealer, clientId: string) =>
  owner.deleteDealerApiClient({ dealerId: id, clientId });
const signIn = async (clientId: string, clientSecret: string): Promise<string> => {
  const input = { grantType: 'client_credentials', clientId, clientSecret };
  const { tokens } = await market.visitor.issueToken(input, 'tokens { accessToken }');
  return tokens.accessToken;
};
const clients = () => market.records(ApiClientModel);
const auditsOf = (id: string) => market.audits({ 'target.id': id });

test('an API client is created with a secret that is stored as a hash only', async () => {
  const dealer = await market.dealer();
  const expiresAt = new Date(stack.platform.now() + 86_400_000).toISOString() as never;
  const { clientSecret, apiClient } = await create(dealer, {
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
    creator: { id: dealer.owner.id, displayName: expect.stringMatching(/^user-/) },
    createdAt: expect.any(String),
  });
  const stored = await clients().findOne({ _id: apiClient.id });
  expect(stored?.secretHash).toBe(hashOpaqueToken(clientSecret));
  expect(JSON.stringify(stored)).not.toContain(clientSecret);
});

test('creating an API client is audited and mailed to every owner', async () => {
  const partner = await market.user();
  const dealer = await market.dealer({
    members: [
      { userId: partner.id, role: 'owner' },
      { userId: (await market.user()).id, role: 'manager' },
    ],
  });
  const { apiClient } = await create(dealer, { name: 'Feed' });
  expect(await auditsOf(apiClient.id)).toEqual([
    expect.objectContaining({
      action: 'createDealerApiClient',
      actor: { type: 'user', id: dealer.owner.id },
      result: 'allowed',
      reason: 'Feed',
    }),
  ]);
  const mails = await market.records(MailModel).find({ template: 'apiClientCreated' });
  const told = mails.map(({ to }) => to).filter((to) => [dealer.owner.email, partner.email].includes(to));
  expect(told.sort()).toEqual([dealer.owner.email, partner.email].sort());
});

test.each<[string, Partial<Wire<CreateDealerApiClientInput>>, string[]]>([
  ['no name', { name: '  ' }, ['#/name']],
  ['a long name', { name: 'x'.repeat(61) }, ['#/name']],
  ['a direction character in the name', { name: 'a\u202eb' }, ['#/name']],
  ['no scopes', { scopes: [] }, ['#/scopes']],
  ['unknown scopes', { scopes: ['listings:read', 'users:read', '*'] }, ['#/scopes/1', '#/scopes/2']],
  ['an unknown network', { allowedCidrs: ['10.0.0.0/8', 'everywhere'] }, ['#/allowedCidrs/1']],
  ['an address', { allowedCidrs: ['10.0.0.1'] }, ['#/allowedCidrs/0']],
  ['21 networks', { allowedCidrs: Array(21).fill('10.0.0.0/24') }, ['#/allowedCidrs']],
  ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00Z' as never }, ['#/expiresAt']],
  ['several faults', { name: '', scopes: ['x'] }, ['#/name', '#/scopes/0']],
])('an API client with %s is refused', async (_, members, pointers) => {
  const dealer = await market.dealer();
  expect(await create(dealer, members)).toBeInvalid(...pointers);
  expect(await clients().count({ dealerId: dealer.id })).toBe(0);
});

test('a suspended dealer can delete API clients and cannot create any', async () => {
  const dealer = await market.dealer();
  const { apiClient } = await create(dealer);
  await market.records(DealerModel).findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } });
  expect(await create(dealer)).toBeRefused(403, 'dealer_not_active');
  expect(await remove(dealer, apiClient.id)).not.toBeRefused();
});

test('a dealer can have at most ten API clients, also for concurrent requests', async () => {
  const dealer = await market.dealer();
  const answers = await concurrently(25, (n) => create(dealer, { name: `Client ${n}` }));
  expect(answers).toBeRefusedTimes(15, 409, 'client_limit');
  const stored = await clients().find({ dealerId: dealer.id });
  expect(stored).toHaveLength(10);
  expect(
    await market.records(AuditEventModel).count({
      'target.id': { $in: stored.map(({ _id }) => _id) },
    }),
  ).toBe(10);
  await remove(dealer, stored[3]?._id ?? '');
  expect(await create(dealer)).not.toBeRefused();
  expect(await create(dealer)).toBeRefused(409, 'client_limit');
});

describe('creating an API client with an idempotency key', () => {
  test('returns the same secret for a repetition, and does not store it in plain text', async () => {
    const dealer = await market.dealer();
    const idempotencyKey = newId('client');
    const first = await create(dealer, { idempotencyKey });
    expect(await create(dealer, { idempotencyKey })).toEqual(first);
    expect(await clients().count({ dealerId: dealer.id })).toBe(1);
    const kept = await market.records(ExecutionModel).find({});
    expect(JSON.stringify(kept)).toContain(first.apiClient.id);
    expect(JSON.stringify(kept)).not.toContain(first.clientSecret);
  });

  test('returns the created client with a new secret for a repetition after a crash', async () => {
    const dealer = await market.dealer();
    const idempotencyKey = newId('client');
    const lost = await create(dealer, { idempotencyKey });
    const executions = market.records(ExecutionModel);
    const [execution] = (await executions.find({})).filter((one) =>
      JSON.stringify(one).includes(lost.apiClient.id),
    );
    await executions.findOneAndUpdate(
      { _id: String(execution?._id) },
      { $set: { state: 'running', payload: null, leaseUntil: new Date(0) } },
    );
    const answer = await create(dealer, { idempotencyKey });
    expect(answer.apiClient.id).toBe(lost.apiClient.id);
    expect(answer.clientSecret).not.toBe(lost.clientSecret);
    expect(await clients().count({ dealerId: dealer.id })).toBe(1);
    expect(await signIn(answer.apiClient.id, answer.clientSecret)).toEqual(expect.any(String));
  });
});

test('deleting an API client is audited and revokes its tokens immediately', async () => {
  const dealer = await market.dealer();
  const { apiClient, clientSecret } = await create(dealer);
  const token = await signIn(apiClient.id, clientSecret);
  const { me } = market.caller(token);
  expect(await me({}, 'id')).toEqual({ id: apiClient.id });
  expect(await remove(dealer, apiClient.id)).toEqual({ deletedClientId: apiClient.id });
  expect(await me({}, 'id')).toBeRefused(401, 'session_revoked');
  expect((await auditsOf(apiClient.id)).map(({ action }) => action).sort()).toEqual([
    'createDealerApiClient',
    'deleteDealerApiClient',
  ]);
  expect(await remove(dealer, apiClient.id)).toBeRefused(404, 'not_found');
});

test('the API clients of a dealer are listed in descending order of creation', async () => {
  const dealer = await market.dealer();
  for (const name of ['a', 'b', 'c']) {
    await create(dealer, { name });
    stack.advance(1000);
  }
  const { nodes } = await dealer.owner.dealerApiClients({ dealerId: dealer.id });
  expect(nodes.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});
