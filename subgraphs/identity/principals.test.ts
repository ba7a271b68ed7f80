import { commandsOf } from '../../test/support/commandsOf.ts';
import { problemOf } from '../../test/support/problemOf.ts';
import { product } from '../../test/support/product.ts';
import { unique } from '../../test/support/seed.ts';
import { AuditEventModel } from '../platform/audit/model.ts';
import { openPrincipals } from '../platform/auth/principals.ts';
import type { TokenFacts } from '../platform/auth/Viewer.ts';
import { newId } from '../platform/ids/newId.ts';
import { scoped } from '../platform/installation/scoped.ts';
import { issueClientToken } from './api-client/issueClientToken.ts';
import { ApiClientModel, type ApiClientRecord } from './api-client/model.ts';
import { DealerModel } from './dealer/model.ts';
import { issueOperatorToken } from './operator/issueOperatorToken.ts';
import { OperatorModel } from './operator/model.ts';
import { SessionModel } from './session/model.ts';
import { SigningKeyModel } from './signing-key/model.ts';
import { UserModel, type UserRecord } from './user/model.ts';

const world = product();
const { market } = world;
/*
 * Every subgraph reads principals and keys itself, as pinned projections over the collections of this one. These tests
 * change the stored members one by one and see the reading side change: a renamed member fails here.
 */

const identify = async (token: string) => {
  const context = world.stack.contextFor({ as: token, installation: market.installation });
  return context.identify(true);
};
const principalOf = async (token: string) => {
  const identity = await identify(token);
  if (identity.kind !== 'accepted')
    throw new Error(`The token was not accepted: ${JSON.stringify(identity)}`);
  return identity.viewer.principal;
};

const factsOf = async (token: string) => {
  const identity = await identify(token);
  if (identity.kind !== 'accepted') throw new Error('The token was not accepted.');
  return identity.viewer.token;
};

test.each([
  ['users', ['_id', 'installationId', 'state', 'emailVerified', 'roles'], UserModel],
  [
    'sessions',
    ['_id', 'installationId', 'userId', 'revokedAt', 'idleExpiresAt', 'absoluteExpiresAt'],
    SessionModel,
  ],
  ['dealers', ['_id', 'installationId', 'tradeName', 'state', 'members'], DealerModel],
  [
    'api_clients',
    ['_id', 'installationId', 'dealerId', 'sessionId', 'allowedCidrs', 'expiresAt'],
    ApiClientModel,
  ],
  ['operators', ['_id', 'state'], OperatorModel],
  ['signing_keys', ['_id', 'kid', 'state', 'publicJwk'], SigningKeyModel],
] as const)('the collection %s has the members that others read', (collection, members, model) => {
  expect(model.collection.name).toBe(collection);
  expect(Object.keys(model.schema.paths)).toEqual(expect.arrayContaining([...members]));
});

test('members of a dealer have the members that others read', () => {
  const members = DealerModel.schema.path('members') as unknown as { schema: { paths: object } };
  expect(Object.keys(members.schema.paths).sort()).toEqual(['joinedAt', 'locationIds', 'role', 'userId']);
});

test('what the models store is what the guards see', async () => {
  const user = await market.user({ roles: ['buyer', 'editor'] });
  const dealer = await market.dealer({ owner: user, tradeName: 'Garage' });
  expect(await principalOf(user.token)).toEqual({
    state: 'active',
    emailVerified: true,
    roles: ['buyer', 'editor'],
    memberships: [
      { dealerId: dealer.id, name: 'Garage', dealerState: 'active', role: 'OWNER', locationIds: [] },
    ],
  });
});

test.each([
  ['state', { state: 'suspended' }, { state: 'suspended' }],
  ['emailVerified', { emailVerified: false }, { emailVerified: false }],
  ['roles', { roles: ['moderator'] }, { roles: ['moderator'] }],
] as const)('a change of a user’s %s is seen', async (_, set, seen) => {
  const user = await market.user();
  await scoped(UserModel, market.installation.id).findOneAndUpdate({ _id: user.id }, { $set: set });
  expect(await principalOf(user.token)).toMatchObject(seen);
});

test('a change of a membership is seen', async () => {
  const user = await market.user();
  const dealer = await market.dealer({ owner: user });
  const dealers = scoped(DealerModel, market.installation.id);
  const change = (set: object) => dealers.findOneAndUpdate({ _id: dealer.id }, { $set: set });
  await change({
    'members.0.role': 'agent',
    'members.0.locationIds': ['loc_1'],
    state: 'suspended',
    tradeName: 'New',
  });
  expect((await principalOf(user.token)).memberships).toEqual([
    { dealerId: dealer.id, name: 'New', dealerState: 'suspended', role: 'AGENT', locationIds: ['loc_1'] },
  ]);
  await change({ members: [] });
  expect((await principalOf(user.token)).memberships).toEqual([]);
});

test.each([
  ['revokedAt', () => ({ revokedAt: new Date(world.stack.platform.now()) })],
  ['idleExpiresAt', () => ({ idleExpiresAt: new Date(world.stack.platform.now() - 1) })],
  ['absoluteExpiresAt', () => ({ absoluteExpiresAt: new Date(world.stack.platform.now() - 1) })],
])('a session that ended by its %s is refused', async (_, set) => {
  const user = await market.user();
  await scoped(SessionModel, market.installation.id).findOneAndUpdate(
    { _id: user.sessionId },
    { $set: set() },
  );
  expect(await identify(user.token)).toMatchObject({ kind: 'rejected', error: { code: 'session_revoked' } });
});

test('a deleted user, and a session of somebody else, are refused', async () => {
  const [user, other] = [await market.user(), await market.user()];
  await scoped(UserModel, market.installation.id).findOneAndUpdate(
    { _id: user.id },
    { $set: { state: 'deleted' } },
  );
  expect(await identify(user.token)).toMatchObject({ kind: 'rejected', error: { code: 'subject_unknown' } });
  await scoped(SessionModel, market.installation.id).findOneAndUpdate(
    { _id: other.sessionId },
    { $set: { userId: user.id } },
  );
  expect(await identify(other.token)).toMatchObject({ kind: 'rejected', error: { code: 'session_revoked' } });
});

test('what is remembered of a session is not told of another subject, and does not end it', async () => {
  const [user, other] = [await market.user(), await market.user()];
  const mixed = { ...(await factsOf(user.token)), subject: other.id };
  const principals = openPrincipals({ now: world.stack.platform.now, changes: world.stack.platform.changes });
  const facts = await factsOf(user.token);
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  expect(await principals.read(mixed, false)).toEqual({ refused: 'session_revoked' });
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  principals.close();
});

test('a suspension and a revocation in this process act on the very next request', async () => {
  const user = await market.user();
  const me = () =>
    world.stack.execute('{ me { state } }', {}, { as: user.token, installation: market.installation });
  expect((await me()).data?.me.state).toBe('ACTIVE');
  const revoke = 'mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revoked } }';
  await world.stack.execute(
    revoke,
    { input: { token: user.refreshToken } },
    { installation: market.installation },
  );
  expect(problemOf(await me())).toMatchObject({ code: 'session_revoked' });
});

describe('an API client', () => {
  const clients = () => scoped(ApiClientModel, market.installation.id);
  const store = async (dealerId: string, members: Partial<ApiClientRecord> = {}) => {
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
      createdAt: new Date(world.stack.platform.now()),
      ...members,
    });
    const context = world.stack.contextFor({ installation: market.installation });
    const { accessToken } = await issueClientToken(context, client, client.scopes);
    return { ...client, token: accessToken };
  };
  const set = (_id: string, members: object) => clients().findOneAndUpdate({ _id }, { $set: members });
  const setDealer = (_id: string, members: object) =>
    scoped(DealerModel, market.installation.id).findOneAndUpdate({ _id }, { $set: members });

  test('is the manager of its one dealer, by its scopes, and holds no permission', async () => {
    const dealer = await market.dealer({ tradeName: 'Works' });
    const { token } = await store(dealer.id, { allowedCidrs: ['192.0.2.0/24'] });
    expect(await principalOf(token)).toEqual({
      state: 'active',
      emailVerified: false,
      roles: [],
      memberships: [
        { dealerId: dealer.id, name: 'Works', dealerState: 'active', role: 'MANAGER', locationIds: [] },
      ],
      allowedCidrs: ['192.0.2.0/24'],
    });
    const facts = await factsOf(token);
    expect(facts).toMatchObject({ subjectType: 'client', dealerId: dealer.id });
    expect([...facts.scopes]).toEqual(['listings:read']);
  });

  test.each([
    ['deleted', (id: string) => clients().deleteMany({ _id: id })],
    ['expired', (id: string) => set(id, { expiresAt: new Date(world.stack.platform.now()) })],
    ['signed out', (id: string) => set(id, { sessionId: newId('session') })],
    ['moved to another dealer', (id: string) => set(id, { dealerId: newId('dealer') })],
  ])('that was %s is refused', async (_, end) => {
    const { _id, token } = await store((await market.dealer()).id);
    expect(await identify(token)).toMatchObject({ kind: 'accepted' });
    await end(_id);
    expect(await identify(token)).toMatchObject({ kind: 'rejected', error: { code: 'session_revoked' } });
  });

  test.each([
    ['suspended', 'accepted'],
    ['closing', 'rejected'],
    ['closed', 'rejected'],
  ])('of a dealer that is %s is %s', async (state, kind) => {
    const dealer = await market.dealer();
    const { token } = await store(dealer.id);
    await setDealer(dealer.id, { state });
    expect(await identify(token)).toMatchObject({ kind });
  });

  test('costs one command to be recognised', async () => {
    const { token } = await store((await market.dealer()).id);
    expect(await commandsOf(() => identify(token))).toEqual(['aggregate api_clients']);
  });

  test('of one dealer does not pass for one of another dealer, or of another installation', async () => {
    const [own, other] = [await market.dealer(), await market.dealer()];
    const client = await store(own.id);
    const context = world.stack.contextFor({ installation: market.installation });
    const strange = await issueClientToken(context, { ...client, dealerId: other.id }, client.scopes);
    expect(await identify(strange.accessToken)).toMatchObject({ error: { code: 'session_revoked' } });
    const abroad = world.stack.contextFor({ installation: world.stack.other });
    const { accessToken } = await issueClientToken(abroad, client, client.scopes);
    const there = world.stack.contextFor({ as: accessToken, installation: world.stack.other });
    expect(await there.identify(true)).toMatchObject({ error: { code: 'session_revoked' } });
  });

  test('that is deleted in this process is refused by the very next request', async () => {
    const { _id, token } = await store((await market.dealer()).id);
    const call = () =>
      world.stack.execute('{ me { type } }', {}, { as: token, installation: market.installation });
    expect((await call()).data?.me).toEqual({ type: 'CLIENT' });
    await clients().deleteMany({ _id });
    world.stack.platform.forgetPrincipal({ clientId: _id });
    expect(problemOf(await call())).toMatchObject({ code: 'session_revoked' });
  });

  test('that is deleted in another process is dropped from memory', async () => {
    const { _id, token } = await store((await market.dealer()).id);
    const facts = await factsOf(token);
    const principals = openPrincipals({
      now: world.stack.platform.now,
      changes: world.stack.platform.changes,
      maxAgeMs: 3_600_000,
    });
    const isKnown = async () => 'principal' in (await principals.read(facts, false));
    expect(await isKnown()).toBe(true);
    // A stream tells of what happens once it is open: until a change drops what is remembered, it is not.
    while (!(principals.read(facts, false) instanceof Promise))
      await clients().findOneAndUpdate({ _id }, { $set: { name: unique('client') } });
    expect(await isKnown()).toBe(true);
    await clients().deleteMany({ _id });
    // Only the change stream can tell; the test's own time limit ends this.
    while (await isKnown()) await new Promise((later) => setImmediate(later));
    principals.close();
  });
});

test('a sign-in elsewhere leaves a person in memory, and what guards look at does not', async () => {
  const principals = openPrincipals({
    now: world.stack.platform.now,
    changes: world.stack.platform.changes,
    maxAgeMs: 3_600_000,
  });
  const users = scoped(UserModel, market.installation.id);
  const isRemembered = (facts: TokenFacts) => !(principals.read(facts, false) instanceof Promise);
  const untilDropped = async (facts: TokenFacts, write: () => Promise<unknown>) => {
    await principals.read(facts, false);
    await write();
    while (isRemembered(facts)) await new Promise((later) => setImmediate(later));
  };
  /** Changes are told in their order: when somebody new is dropped, everything before was told. */
  const allIsTold = async () => {
    const { id, token } = await market.user({});
    const unverify = () => users.findOneAndUpdate({ _id: id }, { $set: { emailVerified: false } });
    await untilDropped(await factsOf(token), unverify);
  };
  const user = await market.user({});
  const facts = await factsOf(user.token);
  const change = (members: Partial<UserRecord>) =>
    users.findOneAndUpdate({ _id: user.id }, { $set: members });
  // A stream tells of what happens once it is open: until a change drops what is remembered, it is not.
  for (let count = 0; count === 0 || isRemembered(facts); count += 1) {
    await principals.read(facts, false);
    await change({ phone: `+49 30 ${count}` });
  }
  await allIsTold();
  await principals.read(facts, false);
  await change({ lastSignInAt: new Date() });
  await allIsTold();
  expect(isRemembered(facts)).toBe(true);
  await untilDropped(facts, () => change({ emailVerified: false }));
  principals.close();
});

describe('an operator', () => {
  const store = async () => {
    const operator = await OperatorModel.create({
      _id: newId('operator'),
      name: unique('ada'),
      passwordHash: 'x',
      sealedSecret: 'x',
      lastUsedStep: 0,
      state: 'active',
      createdAt: new Date(world.stack.platform.now()),
      removedAt: null,
    });
    const context = world.stack.contextFor({ installation: market.installation });
    return { id: operator._id, ...(await issueOperatorToken(context, operator)) };
  };
  const remove = (_id: string) => OperatorModel.updateOne({ _id }, { $set: { state: 'removed' } });

  test('holds the role of the platform and nothing else', async () => {
    const { accessToken, id } = await store();
    expect(await principalOf(accessToken)).toEqual({
      state: 'active',
      emailVerified: false,
      roles: ['operator'],
      memberships: [],
    });
    expect(await factsOf(accessToken)).toMatchObject({ subjectType: 'operator', subject: id });
  });

  test('costs one command to be recognised', async () => {
    const { accessToken } = await store();
    expect(await commandsOf(() => identify(accessToken))).toEqual(['aggregate sessions']);
  });

  test('who was removed, or whose session has ended, is refused', async () => {
    const [removed, ended, abroad] = [await store(), await store(), await store()];
    await remove(removed.id);
    expect(await identify(removed.accessToken)).toMatchObject({ error: { code: 'subject_unknown' } });
    const sessions = scoped(SessionModel, market.installation.id);
    await sessions.findOneAndUpdate({ _id: ended.sessionId }, { $set: { revokedAt: new Date() } });
    expect(await identify(ended.accessToken)).toMatchObject({ error: { code: 'session_revoked' } });
    await sessions.findOneAndUpdate({ _id: abroad.sessionId }, { $set: { userId: newId('operator') } });
    expect(await identify(abroad.accessToken)).toMatchObject({ error: { code: 'session_revoked' } });
  });

  test('who is removed in another process is dropped from memory', async () => {
    const { accessToken, id } = await store();
    const facts = await factsOf(accessToken);
    const principals = openPrincipals({
      now: world.stack.platform.now,
      changes: world.stack.platform.changes,
      maxAgeMs: 3_600_000,
    });
    const isKnown = async () => 'principal' in (await principals.read(facts, false));
    expect(await isKnown()).toBe(true);
    // As above: a change must be told before the one that counts is made.
    for (let step = 1; !(principals.read(facts, false) instanceof Promise); step += 1)
      await OperatorModel.updateOne({ _id: id }, { $set: { lastUsedStep: step } });
    expect(await isKnown()).toBe(true);
    await remove(id);
    // Only the change stream can tell; the test's own time limit ends this.
    while (await isKnown()) await new Promise((later) => setImmediate(later));
    principals.close();
  });

  test('sees himself, owns nothing, and does nothing that persons do for themselves', async () => {
    const { accessToken, id } = await store();
    const call = (source: string, variables = {}) =>
      world.stack.execute(source, variables, { as: accessToken, installation: market.installation });
    const { data } = await call('{ me { id type roles permissions state } }');
    expect(data?.me).toEqual({
      id,
      type: 'OPERATOR',
      roles: [],
      permissions: ['ledger:adjust', 'payouts:hold', 'payouts:release', 'plans:read'],
      state: 'ACTIVE',
    });
    const created = await call('mutation { createListing(input: {title: "Own car"}) { listing { id } } }');
    expect(problemOf(created)).toMatchObject({ status: 403, code: 'user_token_required' });
    const { id: listingId } = await (await market.user()).listing();
    const read = await call('query ($listingId: ID!) { listing(listingId: $listingId) { id } }', {
      listingId,
    });
    expect(problemOf(read)).toMatchObject({ status: 403, code: 'ownership_required' });
  });

  test('leaves a line in the audit events of the installation with everything he is let through to', async () => {
    const { accessToken, id } = await store();
    const call = (source: string) =>
      world.stack.execute(source, {}, { as: accessToken, installation: market.installation });
    await call('{ me { id } again: me { id } }');
    await call('{ catalogListings { nodes { id } } }');
    const events = await scoped(AuditEventModel, market.installation.id).find({ 'actor.id': id });
    expect(events.map(({ actor, action, result }) => [actor.type, action, result])).toEqual([
      ['operator', 'me', 'allowed'],
    ]);
  });
});
