import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();
const support = perFile(() => market.staff('support'));

type Search = Parameters<SeededUser['adminUsers']>[0];
const find = (search: Search) => support.adminUsers(search, 'nodes { id }');
const idsOf = async (search: Search) => (await find({ first: 100, ...search })).nodes.map(({ id }) => id);
const users = () => market.records(UserModel);
const eventsOf = (id: string) => market.audits({ 'target.id': id });

test('the users of an installation are listed in descending order of creation', async () => {
  const created: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    stack.advance(10);
    created.unshift((await market.user()).id);
  }
  await (await neighbour()).user();
  expect((await idsOf({})).slice(0, 3)).toEqual(created);
});

test('users are found by the beginning of an address or a name, regardless of case and accents', async () => {
  const mark = unique('x').slice(2);
  const { id: anna } = await market.user({ displayName: `Ångström-${mark} Anna` });
  const { id: otto } = await market.user({ email: `Otto.${mark}@Example.TEST`, displayName: 'O' });
  for (const q of [`angstrom-${mark}`, `ÅNGSTRÖM-${mark} an`, `  Ångström-${mark}   Anna `])
    expect(await idsOf({ q })).toEqual([anna]);
  for (const q of [`otto.${mark}`, `OTTO.${mark}@ex`, `otto.${mark}@EXAMPLE.test`])
    expect(await idsOf({ q })).toEqual([otto]);
  for (const q of [mark, `${mark}@example.test`, `otto.${mark}@example.testing`])
    expect(await idsOf({ q })).toEqual([]);
});

test('a user is found by a changed name, and no longer by the old one', async () => {
  const [before, after] = [unique('before'), unique('after')];
  const user = await market.user({ displayName: before });
  await user.updateMe({ displayName: after.toUpperCase() });
  expect(await idsOf({ q: after })).toEqual([user.id]);
  expect(await idsOf({ q: before })).toEqual([]);
});

test('a list of users can be filtered by state, role and time together', async () => {
  const createdAfter = new Date(stack.platform.now()).toISOString() as never;
  stack.advance(10);
  const { id: editor } = await market.staff('editor');
  const { id: suspended } = await market.user({ state: 'suspended' });
  const { id: leaving } = await market.user({ state: 'deletion_scheduled', roles: ['buyer', 'editor'] });
  expect(await idsOf({ createdAfter })).toEqual([leaving, suspended, editor]);
  expect(await idsOf({ createdAfter, role: 'EDITOR' })).toEqual([leaving, editor]);
  const states = await idsOf({ createdAfter, state: ['SUSPENDED', 'DELETION_SCHEDULED'] });
  expect(states).toEqual([leaving, suspended]);
  expect(await idsOf({ createdAfter, state: ['ACTIVE'], role: 'EDITOR' })).toEqual([editor]);
});

test.each(['', '\u0000', '^.*', '$', '\\', '(((((', '\ud800', 'a'.repeat(200), '{"$ne":1}'])(
  'searching users by the text %j causes no error',
  async (q) => {
    expect(await find({ q })).not.toBeRefused();
  },
);

test('a search text of more than 200 characters is refused', async () => {
  expect(await find({ q: 'x'.repeat(201) })).toBeRefused(400, 'malformed_request');
});

test('the REST route of users maps its parameters and refuses invalid ones', async () => {
  const list = (query: string) => support.rest('GET', `/api/v1/admin/users?${query}`);
  const { body } = await list('limit=3&state=active,unverified&role=support&q=user-');
  expect(body.data).toMatchObject([{ id: support.id, state: 'active', roles: ['support'] }]);
  for (const query of ['state=nowhere', 'role=operator', 'createdAfter=soon', 'limit=0'])
    expect(await list(query)).toBeRefused(400);
});

test('a user is returned with history, memberships, sessions and second factor, and without secrets', async () => {
  const user = await market.user({ password: 'plum-tractor-9-violin', displayName: 'Dora' });
  const dealer = await market.dealer({ owner: user });
  const factor = { label: 'Phone', sealedSecret: 'sealed-thing', createdAt: new Date() };
  const factors = [
    { ...factor, id: 'mfa_1', state: 'active' as const },
    { ...factor, id: 'mfa_2', state: 'unverified' as const },
  ];
  const recoveryCodeHashes = ['hash-of-a-code', 'another'];
  const set = { phone: '+4930123456', factors, recoveryCodeHashes };
  await users().findOneAndUpdate({ _id: user.id }, { $set: set });
  await signInAgain({ stack, market }, user);
  const { body } = await support.rest('GET', `/api/v1/admin/users/${user.id}`);
  expect(body).toMatchObject({
    id: user.id,
    email: user.email,
    phone: '+4930123456',
    state: 'active',
    roles: ['buyer', 'seller'],
    permissions: [],
    stateHistory: [{ state: 'active', trigger: 'register', actor: { type: 'user', id: user.id } }],
    dealerMemberships: [{ dealerId: dealer.id, dealerState: 'active', role: 'owner', locationIds: [] }],
    sessions: { active: 2 },
    mfa: { enabled: true, activeFactors: 1, recoveryCodesLeft: 2 },
    deletion: null,
    version: 1,
  });
  const text = JSON.stringify(body);
  for (const secret of ['argon2', 'sealed-thing', 'hash-of-a-code', 'assword', user.sessionId])
    expect(text).not.toContain(secret);
});

test('reading a user is recorded in the audit log with the reader', async () => {
  const { id } = await market.user();
  await support.adminUser({ userId: id });
  expect(await eventsOf(id)).toMatchObject([
    {
      action: 'adminUser',
      actor: { type: 'user', id: support.id },
      target: { type: 'user', id },
      result: 'allowed',
      ipPrefix: '192.0.2.0/24',
      requestId: expect.stringMatching(/\S/),
    },
  ]);
});

test('reading a user of another installation is refused as unknown and records no audit event', async () => {
  const foreigner = await (await neighbour()).user();
  const detail = 'The user does not exist.';
  for (const userId of [foreigner.id, newId('user'), 'usr_x', newId('dealer')])
    expect(await support.adminUser({ userId })).toBeRefused(404, 'not_found', { detail });
  expect(await eventsOf(foreigner.id)).toEqual([]);
});
