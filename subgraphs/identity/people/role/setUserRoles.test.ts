import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { type SeededUser } from '../../../../test/support/seed.ts';
import { openPrincipals } from '../../../platform/principal/principals.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();

const administrator = perFile(() => market.staff('installation_admin'));
const user = perTest(() => market.user());

type Roles = Parameters<SeededUser['setUserRoles']>[0]['roles'];
const put = (roles: Roles, { id: userId } = user) => administrator.setUserRoles({ userId, roles });
const rolesOf = async ({ id }: SeededUser) => (await market.records(UserModel).findOne({ _id: id }))?.roles;

test('new roles apply to the next request of the user with the same token', async () => {
  expect(await user.adminUsers()).toBeRefused(403, 'permission_required');
  const given = (await put(['BUYER', 'SUPPORT'])).user;
  expect(given).toMatchObject({ roles: ['BUYER', 'SUPPORT'], accountType: 'STAFF', version: 2 });
  expect(given.permissions).toContain('users:read');
  expect(await user.adminUsers()).not.toBeRefused();
  expect((await put(['BUYER'])).user).toMatchObject({ roles: ['BUYER'], accountType: 'PERSONAL' });
  expect(await user.adminUsers()).toBeRefused(403, 'permission_required');
});

test('a change of roles records the roles before and after in an audit event', async () => {
  await put(['BUYER', 'EDITOR']);
  const events = await market.audits({ 'target.id': user.id });
  expect(events).toMatchObject([
    {
      action: 'setUserRoles',
      actor: { type: 'user', id: administrator.id },
      reason: 'buyer, seller -> buyer, editor',
    },
  ]);
});

test('setting the same roles in another order keeps the version of the user', async () => {
  const changed = await put(['SELLER', 'BUYER', 'SELLER']);
  expect(changed.user).toMatchObject({ roles: ['BUYER', 'SELLER'], version: 1 });
});

test.each([
  ['an unknown role', ['buyer', 'king'], '#/roles/1'],
  ['the role of operators', ['operator'], '#/roles/0'],
  ['a string instead of a list', 'buyer', '#/roles'],
  ['no roles', undefined, '#/roles'],
  ['null', null, '#/roles'],
])('setting roles with %s is refused', async (_, roles, pointer) => {
  const path = `/api/v1/admin/users/${user.id}/roles`;
  const answer = await administrator.rest('PUT', path, { body: { roles } });
  expect(answer).toBeInvalid(pointer);
  expect(await rolesOf(user)).toEqual(['buyer', 'seller']);
});

test('an administrator can assign every role', async () => {
  const staff: Roles = ['EDITOR', 'TRANSLATOR', 'SUPPORT', 'MODERATOR', 'FINANCE', 'INSTALLATION_ADMIN'];
  expect((await put(['BUYER', 'SELLER', ...staff])).user.roles).toHaveLength(8);
});

test('an administrator cannot change their own roles', async () => {
  const attempts: Roles[] = [['INSTALLATION_ADMIN', 'FINANCE'], ['BUYER'], ['INSTALLATION_ADMIN']];
  for (const roles of attempts)
    expect(await put(roles, administrator)).toBeRefused(403, 'privilege_escalation');
  expect(await rolesOf(administrator)).toEqual(['installation_admin']);
});

test('assigning roles to an erased account is refused', async () => {
  const erased = await market.user({ state: 'deleted' });
  expect(await put(['BUYER', 'EDITOR'], erased)).toBeRefused(409, 'invalid_transition');
});

test('the list of roles contains every role and permission, with the roles that have it', async () => {
  const { body } = await administrator.rest('GET', '/api/v1/admin/roles');
  const role = (name: string) => body.roles.find((one: { role: string }) => one.role === name);
  const permission = (name: string) => body.permissions.find((one: { name: string }) => one.name === name);
  const customers = ['buyer', 'seller'];
  const staff = ['editor', 'translator', 'support', 'moderator', 'finance', 'installation_admin'];
  expect(body.roles.map((one: { role: string }) => one.role)).toEqual([...customers, ...staff]);
  expect(role('buyer').grants).toEqual([]);
  expect(role('seller').grants).toEqual([{ permission: 'seo:edit', breadth: 'own' }]);
  expect(role('translator').grants).toEqual([
    { permission: 'translations:read', breadth: 'any' },
    { permission: 'translations:contribute', breadth: 'any' },
  ]);
  const suspenders = { roles: ['moderator', 'installation_admin'], own: [] };
  expect(permission('users:suspend')).toMatchObject(suspenders);
  expect(permission('seo:edit')).toMatchObject({ own: ['dealer', 'seller'] });
  expect(permission('payouts:release')).toMatchObject({ roles: [], operator: true });
  expect(permission('seo:admin').implies).toEqual(['seo:edit', 'seo:reports']);
  for (const { description } of [...body.roles, ...body.permissions]) expect(description).toMatch(/\S/);
});

test('the list of roles states which roles require a second factor', async () => {
  const strict = await neighbour({ settings: { mfaRequiredRoles: ['finance'] } });
  const { roles } = await (await strict.staff('installation_admin')).roles();
  const demanding = roles.filter(({ mfaRequired }) => mfaRequired).map(({ role }) => role);
  expect(demanding).toEqual(['FINANCE']);
});

test('a removed role is removed from the cache of another process', async () => {
  const { now, changes } = stack.platform;
  const support = await market.staff('support');
  const identity = await stack.contextFor({ as: support, ...market }).identify(true);
  if (identity.kind !== 'accepted') throw new Error('The token was not accepted.');
  const { token } = identity.viewer;
  const elsewhere = openPrincipals({ now, changes, maxAgeMs: 60_000 });
  const rolesThere = async () => {
    const verdict = await elsewhere.read(token, false);
    return 'principal' in verdict ? verdict.principal.roles : [];
  };
  expect(await rolesThere()).toEqual(['support']);
  await put(['BUYER'], support);
  // Only the change stream reaches the other process. The time limit of the test ends the loop.
  while ((await rolesThere()).includes('support')) await new Promise((later) => setImmediate(later));
  expect(await rolesThere()).toEqual(['buyer']);
  elsewhere.close();
});
