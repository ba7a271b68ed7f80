import { product } from '../../test/support/product.ts';
import { unique } from '../../test/support/seed.ts';
import { commandsOf } from '../../test/support/stack/commandsOf.ts';
import { newId } from '../platform/ids/newId.ts';
import { openPrincipals } from '../platform/principal/principals.ts';
import type { TokenFacts } from '../platform/principal/Viewer.ts';
import { issueClientToken } from './people/api-client/issueClientToken.ts';
import { ApiClientModel, type ApiClientRecord } from './people/api-client/model.ts';
import { DealerModel } from './people/dealer/model.ts';
import { issueOperatorToken } from './people/operator/issueOperatorToken.ts';
import { OperatorModel } from './people/operator/model.ts';
import { SessionModel } from './people/session/model.ts';
import { SigningKeyModel } from './people/signing-key/model.ts';
import { UserModel, type UserRecord } from './people/user/model.ts';

/*
 * Every subgraph reads principals and keys itself, as fixed projections of the collections of this one. These tests
 * change the stored members one by one and check the reading side, so that they fail if a member is renamed.
 */

const { market, neighbour, stack } = product();

const users = () => market.records(UserModel);
const sessions = () => market.records(SessionModel);
const clients = () => market.records(ApiClientModel);
const dealers = () => market.records(DealerModel);
const identify = async (token: string) => stack.contextFor({ as: token, ...market }).identify(true);
const viewerOf = async (token: string) => {
  const identity = await identify(token);
  if (identity.kind !== 'accepted') throw new Error(`The token is refused: ${JSON.stringify(identity)}`);
  return identity.viewer;
};
const principalOf = async (token: string) => (await viewerOf(token)).principal;
const factsOf = async (token: string) => (await viewerOf(token)).token;
const rejected = (code: string) => ({ kind: 'rejected', error: { code } });
/** The cached principals of another process. */
const openElsewhere = () => {
  const { now, changes } = stack.platform;
  return openPrincipals({ now, changes, maxAgeMs: 3_600_000 });
};
/** Lets the change stream deliver. The time limit of the test ends a wait for it. */
const later = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  [UserModel, 'users', '_id installationId state emailVerified roles'],
  [SessionModel, 'sessions', '_id installationId userId revokedAt idleExpiresAt absoluteExpiresAt'],
  [DealerModel, 'dealers', '_id installationId tradeName state members'],
  [ApiClientModel, 'api_clients', '_id installationId dealerId sessionId allowedCidrs expiresAt'],
  [OperatorModel, 'operators', '_id state'],
  [SigningKeyModel, 'signing_keys', '_id kid state publicJwk'],
] as const)(
  'the records of $collection.name have the members that other subgraphs read',
  (model, name, members) => {
    expect(model.collection.name).toBe(name);
    expect(Object.keys(model.schema.paths)).toEqual(expect.arrayContaining(members.split(' ')));
  },
);

test('the memberships in a dealer record have the members that other subgraphs read', () => {
  const members = DealerModel.schema.path('members') as unknown as { schema: { paths: object } };
  expect(Object.keys(members.schema.paths).sort()).toEqual(['joinedAt', 'locationIds', 'role', 'userId']);
});

test('a principal has the state, roles and memberships of a user, after every change of them', async () => {
  const user = await market.user({ roles: ['buyer', 'editor'] });
  const { id } = await market.dealer({ owner: user, tradeName: 'Garage' });
  const membership = { dealerId: id, name: 'Garage', dealerState: 'active', role: 'OWNER', locationIds: [] };
  const roles = ['buyer', 'editor'];
  const memberships = [membership];
  expect(await principalOf(user.token)).toEqual({ state: 'active', emailVerified: true, roles, memberships });
  for (const set of [{ state: 'suspended' }, { emailVerified: false }, { roles: ['moderator'] }] as const) {
    await users().findOneAndUpdate({ _id: user.id }, { $set: set });
    expect(await principalOf(user.token)).toMatchObject(set);
  }
  const member = { 'members.0.role': 'agent', 'members.0.locationIds': ['loc_1'] };
  const changed = { ...member, state: 'suspended', tradeName: 'New' };
  await dealers().findOneAndUpdate({ _id: id }, { $set: changed });
  expect((await principalOf(user.token)).memberships).toEqual([
    { ...membership, name: 'New', dealerState: 'suspended', role: 'AGENT', locationIds: ['loc_1'] },
  ]);
  await dealers().findOneAndUpdate({ _id: id }, { $set: { members: [] } });
  expect((await principalOf(user.token)).memberships).toEqual([]);
});

test('a cached session stays valid after a token with its id names another subject', async () => {
  const [user, other] = [await market.user(), await market.user()];
  const facts = await factsOf(user.token);
  const principals = openElsewhere();
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  const mixed = { ...facts, subject: other.id };
  expect(await principals.read(mixed, false)).toEqual({ refused: 'session_revoked' });
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  principals.close();
});

async function storeClient(dealerId: string, members: Partial<ApiClientRecord> = {}) {
  const client = await clients().insert({
    _id: newId('client'),
    dealerId,
    slot: 0,
    name: 'Stock system',
    scopes: ['listings:read'],
    secretHash: 'x',
    secretLast4: 'xxxx',
    allowedCidrs: [],
    expiresAt: null,
    sessionId: newId('session'),
    lastUsedAt: null,
    createdBy: newId('user'),
    createdAt: new Date(stack.platform.now()),
    ...members,
  });
  const { accessToken } = await issueClientToken(stack.contextFor(market), client, client.scopes);
  return { ...client, token: accessToken };
}
const setClient = (_id: string, set: object) => clients().findOneAndUpdate({ _id }, { $set: set });

test('the principal of an API client is a manager of its dealer with its scopes', async () => {
  const { id: dealerId } = await market.dealer({ tradeName: 'Works' });
  const allowedCidrs = ['192.0.2.0/24'];
  const { token } = await storeClient(dealerId, { allowedCidrs });
  expect(await commandsOf(() => identify(token))).toEqual(['aggregate api_clients']);
  expect(await principalOf(token)).toEqual({
    state: 'active',
    emailVerified: false,
    roles: [],
    memberships: [{ dealerId, name: 'Works', dealerState: 'active', role: 'MANAGER', locationIds: [] }],
    allowedCidrs,
  });
  const facts = await factsOf(token);
  expect(facts).toMatchObject({ subjectType: 'client', dealerId });
  expect([...facts.scopes]).toEqual(['listings:read']);
});

test.each([
  ['deleted', (id: string) => clients().deleteMany({ _id: id })],
  ['expired', (id: string) => setClient(id, { expiresAt: new Date(stack.platform.now()) })],
  ['signed out', (id: string) => setClient(id, { sessionId: newId('session') })],
  ['moved to another dealer', (id: string) => setClient(id, { dealerId: newId('dealer') })],
])('an API client that was %s is refused', async (_, end) => {
  const { _id, token } = await storeClient((await market.dealer()).id);
  expect(await identify(token)).toMatchObject({ kind: 'accepted' });
  await end(_id);
  expect(await identify(token)).toMatchObject(rejected('session_revoked'));
});

test.each([
  ['suspended', 'accepted'],
  ['closing', 'rejected'],
  ['closed', 'rejected'],
] as const)('an API client of a dealer that is %s is %s', async (state, kind) => {
  const { id: _id } = await market.dealer();
  const { token } = await storeClient(_id);
  await dealers().findOneAndUpdate({ _id }, { $set: { state } });
  expect(await identify(token)).toMatchObject({ kind });
});

test('the token of an API client is refused for another dealer and in another installation', async () => {
  const [own, other] = [await market.dealer(), await market.dealer()];
  const client = await storeClient(own.id);
  const moved = { ...client, dealerId: other.id };
  const strange = await issueClientToken(stack.contextFor(market), moved, client.scopes);
  expect(await identify(strange.accessToken)).toMatchObject(rejected('session_revoked'));
  const { installation } = await neighbour();
  const abroad = await issueClientToken(stack.contextFor({ installation }), client, client.scopes);
  const there = stack.contextFor({ as: abroad.accessToken, installation });
  expect(await there.identify(true)).toMatchObject(rejected('session_revoked'));
});

test('an API client that is deleted in this process is refused at its next request', async () => {
  const { _id, token } = await storeClient((await market.dealer()).id);
  const client = market.caller(token);
  expect(await client.me({}, 'type')).toEqual({ type: 'CLIENT' });
  await clients().deleteMany({ _id });
  stack.platform.forgetPrincipal({ clientId: _id });
  expect(await client.me()).toBeRefused(401, 'session_revoked');
});

async function storeOperator() {
  const operator = await OperatorModel.create({
    _id: newId('operator'),
    name: unique('ada'),
    passwordHash: 'x',
    sealedSecret: 'x',
    lastUsedStep: 0,
    state: 'active',
    createdAt: new Date(stack.platform.now()),
    removedAt: null,
  });
  const { accessToken, sessionId } = await issueOperatorToken(stack.contextFor(market), operator);
  return { id: operator._id, token: accessToken, sessionId };
}
const setOperator = (_id: string, set: object) => OperatorModel.updateOne({ _id }, { $set: set });

test.each<
  [string, () => Promise<[token: string, touch: () => Promise<unknown>, end: () => Promise<unknown>]>]
>([
  [
    'API client',
    async () => {
      const { _id, token } = await storeClient((await market.dealer()).id);
      const touch = () => setClient(_id, { name: unique('client') });
      return [token, touch, () => clients().deleteMany({ _id })];
    },
  ],
  [
    'operator',
    async () => {
      const { id, token } = await storeOperator();
      let step = 0;
      const touch = () => setOperator(id, { lastUsedStep: (step += 1) });
      return [token, touch, () => setOperator(id, { state: 'removed' })];
    },
  ],
])('an %s that is removed in another process is removed from the cache', async (_, store) => {
  const [token, touch, end] = await store();
  const facts = await factsOf(token);
  const principals = openElsewhere();
  const isKnown = async () => 'principal' in (await principals.read(facts, false));
  expect(await isKnown()).toBe(true);
  // The first record that leaves the cache shows that the change stream is open.
  while (!(principals.read(facts, false) instanceof Promise)) await touch();
  expect(await isKnown()).toBe(true);
  await end();
  while (await isKnown()) await later();
  principals.close();
});

test('a sign-in keeps a user in the cache of another process, and a change that guards read does not', async () => {
  const principals = openElsewhere();
  const isRemembered = (facts: TokenFacts) => !(principals.read(facts, false) instanceof Promise);
  const change = (_id: string, set: Partial<UserRecord>) => users().findOneAndUpdate({ _id }, { $set: set });
  const unverifyUntilDropped = async (id: string, facts: TokenFacts) => {
    await principals.read(facts, false);
    await change(id, { emailVerified: false });
    while (isRemembered(facts)) await later();
  };
  /** Changes are delivered in order, so all earlier ones are delivered when a new user leaves the cache. */
  const allIsDelivered = async () => {
    const { id, token } = await market.user();
    await unverifyUntilDropped(id, await factsOf(token));
  };
  const { id, token } = await market.user();
  const facts = await factsOf(token);
  for (let count = 0; count === 0 || isRemembered(facts); count += 1) {
    await principals.read(facts, false);
    await change(id, { phone: `+49 30 ${count}` });
  }
  await allIsDelivered();
  await principals.read(facts, false);
  await change(id, { lastSignInAt: new Date() });
  await allIsDelivered();
  expect(isRemembered(facts)).toBe(true);
  await unverifyUntilDropped(id, facts);
  principals.close();
});

test('the principal of an operator has only the role operator', async () => {
  const { id, token } = await storeOperator();
  expect(await commandsOf(() => identify(token))).toEqual(['aggregate sessions']);
  const principal = { state: 'active', emailVerified: false, roles: ['operator'], memberships: [] };
  expect(await principalOf(token)).toEqual(principal);
  expect(await factsOf(token)).toMatchObject({ subjectType: 'operator', subject: id });
  const permissions = ['ledger:adjust', 'payouts:hold', 'payouts:release', 'plans:read', 'usage:read'];
  const me = await market.caller(token).me({}, 'id type roles permissions state');
  expect(me).toEqual({ id, type: 'OPERATOR', roles: [], permissions, state: 'ACTIVE' });
});

test('an operator who was removed or whose session ended is refused', async () => {
  const [removed, ended, foreign] = [await storeOperator(), await storeOperator(), await storeOperator()];
  await setOperator(removed.id, { state: 'removed' });
  expect(await identify(removed.token)).toMatchObject(rejected('subject_unknown'));
  await sessions().findOneAndUpdate({ _id: ended.sessionId }, { $set: { revokedAt: new Date() } });
  expect(await identify(ended.token)).toMatchObject(rejected('session_revoked'));
  await sessions().findOneAndUpdate({ _id: foreign.sessionId }, { $set: { userId: newId('operator') } });
  expect(await identify(foreign.token)).toMatchObject(rejected('session_revoked'));
});

test('the audit log records each operation of an operator that is not public', async () => {
  const { id, token } = await storeOperator();
  const as = { as: token, ...market };
  await stack.execute('{ me { id } again: me { id } }', {}, as);
  await market.caller(token).catalogListings({}, 'nodes { id }');
  const events = await market.audits({ 'actor.id': id });
  const lines = events.map(({ actor, action, result }) => [actor.type, action, result]);
  expect(lines).toEqual([['operator', 'me', 'allowed']]);
});
