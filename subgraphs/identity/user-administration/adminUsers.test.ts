import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { openSession } from '../session/openSession.ts';
import { UserModel } from '../user/model.ts';

let rest: RestStack;
let stack: TestStack;
let shop: SeededInstallation;
let support: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  stack = rest.stack;
  shop = await seed(stack).in(stack.demo);
  support = await shop.staff('support');
});
afterAll(() => rest.close());

const list = `query ($first: Int, $after: String, $q: String, $state: [UserState!], $role: InstallationRole, $createdAfter: DateTime) {
  adminUsers(first: $first, after: $after, q: $q, state: $state, role: $role, createdAfter: $createdAfter) {
    nodes { id email displayName state roles accountType } pageInfo { hasNextPage endCursor } } }`;
const call = (source: string, variables: object, { token } = support, at = shop) =>
  stack.execute(source, variables as Record<string, unknown>, { as: token, installation: at.installation });
const idsOf = async (variables: object): Promise<string[]> => {
  const { data, errors } = await call(list, { first: 100, ...variables });
  expect(errors).toBeUndefined();
  return data?.adminUsers.nodes.map(({ id }: { id: string }) => id);
};

describe('the list of users', () => {
  test('shows the newest first, page by page, and nobody of another installation', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      stack.advance(10);
      made.unshift((await shop.user()).id);
    }
    await (await seed(stack).in(stack.other)).user();
    const paged: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await call(list, { first: 2, after });
      paged.push(...data?.adminUsers.nodes.map(({ id }: { id: string }) => id));
      after = data?.adminUsers.pageInfo.endCursor;
    } while (after !== null);
    expect(paged.slice(0, 5)).toEqual(made);
    const all = await scoped(UserModel, shop.installation.id).count({});
    expect(paged).toHaveLength(all);
  });

  test('finds the beginning of an address or of a name, whatever the case and the accents', async () => {
    const mark = unique('x').slice(2);
    const [anna, otto] = [
      await shop.user({ displayName: `Ångström-${mark} Anna` }),
      await shop.user({ email: `Otto.${mark}@Example.TEST`, displayName: 'O' }),
    ];
    for (const q of [`angstrom-${mark}`, `ÅNGSTRÖM-${mark} an`, `  Ångström-${mark}   Anna `])
      expect(await idsOf({ q })).toEqual([anna.id]);
    for (const q of [`otto.${mark}`, `OTTO.${mark}@ex`, `otto.${mark}@EXAMPLE.test`])
      expect(await idsOf({ q })).toEqual([otto.id]);
    // The beginning, not any part.
    for (const q of [mark, `${mark}@example.test`, `otto.${mark}@example.testing`])
      expect(await idsOf({ q })).toEqual([]);
  });

  test('finds a changed name, and the old one no more', async () => {
    const [before, after] = [unique('before'), unique('after')];
    const user = await shop.user({ displayName: before });
    const update = `mutation ($input: UpdateMeInput!) { updateMe(input: $input) { me { id } } }`;
    await call(update, { input: { displayName: after.toUpperCase() } }, user);
    expect(await idsOf({ q: after })).toEqual([user.id]);
    expect(await idsOf({ q: before })).toEqual([]);
  });

  test('filters by state, role and time together', async () => {
    const createdAfter = new Date(stack.platform.now()).toISOString();
    stack.advance(10);
    const editor = await shop.staff('editor');
    const barred = await shop.user({ state: 'suspended' });
    const leaving = await shop.user({ state: 'deletion_scheduled', roles: ['buyer', 'editor'] });
    expect(await idsOf({ createdAfter })).toEqual([leaving.id, barred.id, editor.id]);
    expect(await idsOf({ createdAfter, role: 'EDITOR' })).toEqual([leaving.id, editor.id]);
    expect(await idsOf({ createdAfter, state: ['SUSPENDED', 'DELETION_SCHEDULED'] })).toEqual([
      leaving.id,
      barred.id,
    ]);
    expect(await idsOf({ createdAfter, state: ['ACTIVE'], role: 'EDITOR' })).toEqual([editor.id]);
  });

  test.each([
    '',
    '   ',
    '\u0000',
    '\u202e',
    '^.*',
    '$',
    '\\',
    '(((((',
    '\ud800',
    'a'.repeat(200),
    '{"$ne":1}',
  ])('takes %j as a text', async (q) => {
    expect((await call(list, { q })).errors).toBeUndefined();
  });

  test('refuses a text that is too long, and a cursor of another question', async () => {
    expect(problemOf(await call(list, { q: 'x'.repeat(201) }))).toMatchObject({
      code: 'malformed_request',
      status: 400,
    });
    const { data } = await call(list, { first: 1 });
    const after = data?.adminUsers.pageInfo.endCursor;
    expect(problemOf(await call(list, { first: 1, after, role: 'BUYER' }))).toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('over REST names its parameters, and none of its members is a secret', async () => {
    const path = '/api/v1/admin/users?limit=3&state=active,unverified&role=support&q=user-';
    const { status, body } = await rest.call('GET', path, { token: support.token });
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'email',
      'emailVerified',
      'givenName',
      'familyName',
      'displayName',
      'accountType',
      'state',
      'stateReason',
      'roles',
      'version',
      'createdAt',
      'updatedAt',
    ]);
    for (const query of ['state=nowhere', 'role=operator', 'createdAfter=soon', 'limit=0', 'name=x'])
      expect((await rest.call('GET', `/api/v1/admin/users?${query}`, { token: support.token })).status).toBe(
        400,
      );
  });

  test('costs one command for one user and for many', async () => {
    const cost = (first: number) => commandsOf(() => call(list, { first }));
    const [one, many] = [await cost(1), await cost(100)];
    expect(many).toEqual(one);
    expect(one.filter((command) => command === 'find users')).toHaveLength(1);
  });
});

describe('one user', () => {
  const path = (id: string) => `/api/v1/admin/users/${id}`;

  test('is shown with states, memberships, sessions and second factor, and without any secret', async () => {
    const user = await shop.user({ password: 'plum-tractor-9-violin', displayName: 'Dora' });
    const dealer = await shop.dealer({ owner: user });
    const record = await scoped(UserModel, shop.installation.id).findOneAndUpdate(
      { _id: user.id },
      {
        $set: {
          phone: '+4930123456',
          factors: [
            {
              id: 'mfa_1',
              label: 'Phone',
              state: 'active',
              sealedSecret: 'sealed-thing',
              createdAt: new Date(),
            },
            { id: 'mfa_2', label: 'New', state: 'unverified', sealedSecret: 'x', createdAt: new Date() },
          ],
          recoveryCodeHashes: ['hash-of-a-code', 'another'],
        },
      },
    );
    if (!record) throw new Error('The user is gone.');
    await openSession(stack.contextFor(), record, { amr: ['pwd'] });
    const { status, body, headers } = await rest.call('GET', path(user.id), { token: support.token });
    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^"1-[0-9a-f]{8}"$/);
    expect(headers.get('cache-control')).toContain('no-store');
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

  test('is read not without a trace of who looked', async () => {
    const user = await shop.user();
    await rest.call('GET', path(user.id), { token: support.token });
    const events = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': user.id });
    expect(events).toMatchObject([
      {
        action: 'adminUser',
        actor: { type: 'user', id: support.id },
        target: { type: 'user', id: user.id },
        result: 'allowed',
        ipPrefix: '127.0.0.0/24',
      },
    ]);
    expect(events[0]?.requestId).toMatch(/\S/);
  });

  test('who is not here is told in the same words as who never was', async () => {
    const stranger = await (await seed(stack).in(stack.other)).user();
    const answers = await Promise.all(
      [stranger.id, newId('user'), 'usr_x', newId('dealer')].map((id) =>
        rest.call('GET', path(id), { token: support.token }),
      ),
    );
    for (const { status, body } of answers)
      expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'The user does not exist.']);
    expect(await scoped(AuditEventModel, shop.installation.id).count({ 'target.id': stranger.id })).toBe(0);
  });

  test('costs the same commands for one and for ten of them', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => shop.user()));
    for (const user of users.slice(0, 5)) await shop.dealer({ owner: user });
    const ask = (some: readonly SeededUser[]) => {
      const fields = some.map(
        ({ id }, index) =>
          `u${index}: adminUser(userId: "${id}") { dealerMemberships { name } sessions { active } }`,
      );
      return commandsOf(() => call(`{ ${fields.join('\n')} }`, {}));
    };
    const reads = (commands: string[]) => commands.filter((command) => !command.startsWith('insert'));
    const [one, ten] = [await ask(users.slice(0, 1)), await ask(users)];
    expect(reads(ten)).toEqual(reads(one));
    expect(ten.filter((command) => command === 'insert audit_events')).toHaveLength(10);
  });
});

test('a user who has not the permission is told which one he lacks', async () => {
  const [user, finance] = [await shop.user(), await shop.staff('finance')];
  for (const who of [user, finance]) {
    for (const path of ['/api/v1/admin/users', `/api/v1/admin/users/${user.id}`]) {
      const { status, body } = await rest.call('GET', path, { token: who.token });
      expect([status, body.code, body.requiredPermission]).toEqual([
        403,
        'permission_required',
        'users:read',
      ]);
    }
  }
});
