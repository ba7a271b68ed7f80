import { openRestStack, type RestAnswer, type RestStack } from '../../../test/support/openRestStack.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { openPrincipals } from '../../platform/auth/principals.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';

let rest: RestStack;
let stack: TestStack;
let shop: SeededInstallation;
let administrator: SeededUser;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  stack = rest.stack;
  shop = await seed(stack).in(stack.demo);
  administrator = await shop.staff('installation_admin');
});
afterAll(() => rest.close());

const put = (id: string, roles: unknown, { token } = administrator, headers: Record<string, string> = {}) =>
  rest.call('PUT', `/api/v1/admin/users/${id}/roles`, { token, body: { roles }, headers });
const words = ({ status, body }: RestAnswer) => (status < 300 ? `${status}` : `${status} ${body.code}`);
const rolesOf = async (id: string) =>
  (await scoped(UserModel, shop.installation.id).findOne({ _id: id }))?.roles;
const mayRead = async ({ token }: SeededUser) =>
  (await rest.call('GET', '/api/v1/admin/users', { token })).status === 200;

describe('the roles of a user', () => {
  test('are replaced, and count from his next request on, with the same token', async () => {
    const user = await shop.user();
    expect(await mayRead(user)).toBe(false);
    const { status, body, headers } = await put(user.id, ['buyer', 'support']);
    expect(status).toBe(200);
    expect(body).toMatchObject({ roles: ['buyer', 'support'], accountType: 'staff', version: 2 });
    expect(body.permissions).toContain('users:read');
    expect(headers.get('etag')).toMatch(/^"2-/);
    expect(await mayRead(user)).toBe(true);
    expect((await put(user.id, ['buyer'])).body).toMatchObject({ roles: ['buyer'], accountType: 'personal' });
    expect(await mayRead(user)).toBe(false);
  });

  test('are written down as they were and as they are', async () => {
    const user = await shop.user();
    await put(user.id, ['buyer', 'editor']);
    const events = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': user.id });
    expect(events).toMatchObject([
      {
        action: 'setUserRoles',
        actor: { type: 'user', id: administrator.id },
        reason: 'buyer, seller -> buyer, editor',
      },
    ]);
  });

  test('are a set: order and repetition mean nothing, and the same set is no change', async () => {
    const user = await shop.user();
    const { body } = await put(user.id, ['seller', 'buyer', 'seller']);
    expect(body).toMatchObject({ roles: ['buyer', 'seller'], version: 1 });
  });

  test('are replaced only in the version that was meant', async () => {
    const user = await shop.user();
    const read = await rest.call('GET', `/api/v1/admin/users/${user.id}`, { token: administrator.token });
    const ifMatch = { 'if-match': read.headers.get('etag') ?? '' };
    expect(words(await put(user.id, ['buyer'], administrator, ifMatch))).toBe('200');
    expect(words(await put(user.id, ['editor'], administrator, ifMatch))).toBe('412 precondition_failed');
    expect(await rolesOf(user.id)).toEqual(['buyer']);
  });

  test.each([
    ['an unknown one', ['buyer', 'king'], '#/roles/1'],
    ['the operator’s', ['operator'], '#/roles/0'],
    ['what is no list', 'buyer', '#/roles'],
    ['nothing', undefined, '#/roles'],
    ['none', null, '#/roles'],
  ])('must be known: %s is refused', async (_, roles, pointer) => {
    const user = await shop.user();
    const answer = await put(user.id, roles);
    expect(words(answer)).toBe('422 validation_failed');
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await rolesOf(user.id)).toEqual(['buyer', 'seller']);
  });

  test('every role is an administrator’s to give, also what he cannot do himself', async () => {
    const user = await shop.user();
    const all = ['buyer', 'seller', 'editor', 'translator', 'support', 'moderator', 'finance'];
    expect((await put(user.id, [...all, 'installation_admin'])).body.roles).toHaveLength(8);
  });

  test('nobody gives himself any, nor takes any from himself', async () => {
    for (const roles of [['installation_admin', 'finance'], ['buyer'], ['installation_admin']])
      expect(words(await put(administrator.id, roles))).toBe('403 privilege_escalation');
    expect(await rolesOf(administrator.id)).toEqual(['installation_admin']);
  });

  test('are nobody’s to give who has not the permission, and need a recent sign-in', async () => {
    const user = await shop.user();
    for (const role of ['support', 'moderator', 'finance'] as const) {
      const answer = await put(user.id, ['buyer'], await shop.staff(role));
      expect([words(answer), answer.body.requiredPermission]).toEqual([
        '403 permission_required',
        'roles:assign',
      ]);
    }
    const late = await stack.signIn({ roles: ['installation_admin'], signedInSecondsAgo: 700 });
    const { status, body } = await rest.call('PUT', `/api/v1/admin/users/${user.id}/roles`, {
      token: late.token,
      body: { roles: [] },
    });
    expect([status, body.code]).toEqual([401, 'reauthentication_required']);
  });

  test('of an erased account stay none, and there is nobody of another installation', async () => {
    const erased = await shop.user({ state: 'deleted' });
    expect(words(await put(erased.id, ['buyer', 'editor']))).toBe('409 invalid_transition');
    const stranger = await (await seed(stack).in(stack.other)).user();
    for (const id of [stranger.id, newId('user')])
      expect(words(await put(id, ['buyer']))).toBe('404 not_found');
  });
});

describe('the catalogue of roles', () => {
  test('names every role and permission, with who holds it how far', async () => {
    const { status, body } = await rest.call('GET', '/api/v1/admin/roles', { token: administrator.token });
    expect(status).toBe(200);
    expect(body.roles.map(({ role }: { role: string }) => role)).toEqual([
      'buyer',
      'seller',
      'editor',
      'translator',
      'support',
      'moderator',
      'finance',
      'installation_admin',
    ]);
    const role = (name: string) => body.roles.find((one: { role: string }) => one.role === name);
    const permission = (name: string) => body.permissions.find((one: { name: string }) => one.name === name);
    expect(role('buyer').grants).toEqual([]);
    expect(role('seller').grants).toEqual([{ permission: 'seo:edit', breadth: 'own' }]);
    expect(role('translator').grants).toEqual([
      { permission: 'translations:read', breadth: 'any' },
      { permission: 'translations:contribute', breadth: 'any' },
    ]);
    expect(permission('users:suspend')).toMatchObject({
      roles: ['moderator', 'installation_admin'],
      own: [],
    });
    expect(permission('seo:edit')).toMatchObject({ own: ['dealer', 'seller'] });
    expect(permission('payouts:release')).toMatchObject({ roles: [], operator: true });
    expect(permission('seo:admin').implies).toEqual(['seo:edit', 'seo:reports']);
    for (const { description } of [...body.roles, ...body.permissions]) expect(description).toMatch(/\S/);
  });

  test('says which roles demand a second factor here', async () => {
    const strict = await seed(stack).installation({ settings: { mfaRequiredRoles: ['finance'] } });
    const { token } = await strict.staff('installation_admin');
    const { data } = await stack.execute(
      '{ roles { roles { role mfaRequired } } }',
      {},
      { as: token, installation: strict.installation },
    );
    const demanding = data?.roles.roles.filter(({ mfaRequired }: { mfaRequired: boolean }) => mfaRequired);
    expect(demanding).toEqual([{ role: 'FINANCE', mfaRequired: true }]);
  });
});

test('a role is taken away in every process at once: the other one reads its change', async () => {
  const user = await shop.staff('support');
  // Another process knows him already, and is told by nobody but the database.
  const elsewhere = openPrincipals({
    now: stack.platform.now,
    changes: stack.platform.changes,
    maxAgeMs: 60_000,
  });
  try {
    const token = {
      subject: user.id,
      subjectType: 'user',
      installationId: shop.installation.id,
      sessionId: user.sessionId,
      scopes: new Set(['user']),
      authTime: 0,
      amr: [],
      expiresAt: 0,
    } as const;
    const rolesThere = async () => {
      const verdict = await elsewhere.read(token, false);
      return 'principal' in verdict ? verdict.principal.roles : [];
    };
    expect(await rolesThere()).toEqual(['support']);
    await put(user.id, ['buyer']);
    const deadline = Date.now() + 5000;
    while ((await rolesThere()).includes('support') && Date.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
    expect(await rolesThere()).toEqual(['buyer']);
  } finally {
    elsewhere.close();
  }
});
