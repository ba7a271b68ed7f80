import { openTestStack, type TestStack } from '../../test/support/openTestStack.ts';
import { problemOf } from '../../test/support/problemOf.ts';
import { type SeededInstallation, seed } from '../../test/support/seed.ts';
import { openPrincipals } from '../platform/auth/principals.ts';
import { scoped } from '../platform/installation/scoped.ts';
import { DealerModel } from './dealer/model.ts';
import { buildIdentity } from './server.ts';
import { SessionModel } from './session/model.ts';
import { SigningKeyModel } from './signing-key/model.ts';
import { UserModel } from './user/model.ts';

/*
 * Every subgraph reads principals and keys itself, as pinned projections over the collections of this one. These tests
 * change the stored members one by one and see the reading side change: a renamed member fails here.
 */

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation();
});
afterAll(() => stack.close());

const identify = async (token: string) => {
  const context = stack.contextFor({ as: token, installation: shop.installation });
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
  const user = await shop.user({ roles: ['buyer', 'editor'] });
  const dealer = await shop.dealer({ owner: user, tradeName: 'Garage' });
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
  const user = await shop.user();
  await scoped(UserModel, shop.installation.id).findOneAndUpdate({ _id: user.id }, { $set: set });
  expect(await principalOf(user.token)).toMatchObject(seen);
});

test('a change of a membership is seen', async () => {
  const user = await shop.user();
  const dealer = await shop.dealer({ owner: user });
  const dealers = scoped(DealerModel, shop.installation.id);
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
  ['revokedAt', () => ({ revokedAt: new Date(stack.platform.now()) })],
  ['idleExpiresAt', () => ({ idleExpiresAt: new Date(stack.platform.now() - 1) })],
  ['absoluteExpiresAt', () => ({ absoluteExpiresAt: new Date(stack.platform.now() - 1) })],
])('a session that ended by its %s is refused', async (_, set) => {
  const user = await shop.user();
  await scoped(SessionModel, shop.installation.id).findOneAndUpdate({ _id: user.sessionId }, { $set: set() });
  expect(await identify(user.token)).toMatchObject({ kind: 'rejected', error: { code: 'session_revoked' } });
});

test('a deleted user, and a session of somebody else, are refused', async () => {
  const [user, other] = [await shop.user(), await shop.user()];
  await scoped(UserModel, shop.installation.id).findOneAndUpdate(
    { _id: user.id },
    { $set: { state: 'deleted' } },
  );
  expect(await identify(user.token)).toMatchObject({ kind: 'rejected', error: { code: 'subject_unknown' } });
  await scoped(SessionModel, shop.installation.id).findOneAndUpdate(
    { _id: other.sessionId },
    { $set: { userId: user.id } },
  );
  expect(await identify(other.token)).toMatchObject({ kind: 'rejected', error: { code: 'session_revoked' } });
});

test('what is remembered of a session is not told of another subject, and does not end it', async () => {
  const [user, other] = [await shop.user(), await shop.user()];
  const mixed = { ...(await factsOf(user.token)), subject: other.id };
  const principals = openPrincipals({ now: stack.platform.now });
  const facts = await factsOf(user.token);
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  expect(await principals.read(mixed, false)).toEqual({ refused: 'session_revoked' });
  expect(await principals.read(facts, false)).toHaveProperty('principal');
  await principals.close();
});

test('a suspension and a revocation in this process act on the very next request', async () => {
  const user = await shop.user();
  const me = () => stack.execute('{ me { state } }', {}, { as: user.token, installation: shop.installation });
  expect((await me()).data?.me.state).toBe('ACTIVE');
  const revoke = 'mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revoked } }';
  await stack.execute(revoke, { input: { token: user.refreshToken } }, { installation: shop.installation });
  expect(problemOf(await me())).toMatchObject({ code: 'session_revoked' });
});
