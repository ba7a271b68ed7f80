import { type Permission, permissions } from '../../../schema/permissions.ts';
import { type Principal, type TokenFacts, Viewer } from './Viewer.ts';

const token: TokenFacts = {
  subject: 'usr_1',
  subjectType: 'user',
  installationId: 'ins_demo',
  sessionId: 'ses_1',
  scopes: new Set(['user']),
  authTime: 0,
  amr: ['pwd'],
  expiresAt: 600,
};
const dealer = { dealerId: 'dlr_1', name: 'D', dealerState: 'active', locationIds: [] } as const;
const principal: Principal = {
  state: 'active',
  emailVerified: true,
  roles: ['editor', 'installation_admin'],
  memberships: [{ ...dealer, role: 'OWNER' }],
};

test.each(['active', 'unverified'] as const)(
  'an %s account has the permissions of its roles and dealers',
  (state) => {
    const viewer = new Viewer(token, { ...principal, state });
    expect(viewer.breadthOf('languages:manage')).toBe('any');
    expect(new Viewer(token, { ...principal, state, roles: [] }).breadthOf('translations:manage')).toBe(
      'own',
    );
  },
);

test.each(['suspended', 'deletion_scheduled'] as const)(
  'an account that is %s has no permission, whatever its roles and dealers',
  (state) => {
    const viewer = new Viewer(token, { ...principal, state });
    expect([...viewer.permissions]).toEqual([]);
    for (const permission of ['languages:manage', 'seo:edit', 'translations:read'] as const)
      expect(viewer.breadthOf(permission)).toBeNull();
  },
);

test('a viewer without the second factor that a role requires has no permission', () => {
  const demanding = ['installation_admin'];
  const without = new Viewer(token, principal, demanding);
  expect([...without.permissions]).toEqual([]);
  expect(without.breadthOf('seo:edit')).toBeNull();
  expect(without.withMfa.breadthOf('seo:edit')).toBe('any');
  const shown = new Viewer({ ...token, amr: ['pwd', 'otp'] }, principal, demanding);
  expect(shown.breadthOf('seo:edit')).toBe('any');
  expect(new Viewer(token, principal, ['finance']).lacksMfa).toBe(false);
});

const member = (role: 'OWNER' | 'MANAGER' | 'AGENT') => [{ ...dealer, role }];
const person = (state: Partial<Principal>) => new Viewer(token, { ...principal, ...state });

test('a buyer without a dealer has no permission for own objects', () => {
  const buyer = person({ roles: ['buyer'], memberships: [] });
  for (const permission of ['seo:edit', 'seo:reports', 'translations:manage'] as const)
    expect(buyer.breadthOf(permission)).toBeNull();
});

test('a private seller has the permission seo:edit for own objects, but none for translations', () => {
  const seller = person({ roles: ['seller'], memberships: [] });
  expect(seller.breadthOf('seo:edit')).toBe('own');
  expect(seller.breadthOf('seo:reports')).toBeNull();
  expect(seller.breadthOf('translations:manage')).toBeNull();
});

test('a dealer member who is also a seller has the permissions of both', () => {
  const both = person({ roles: ['seller'] });
  expect(both.breadthOf('seo:edit')).toBe('own');
  expect(both.breadthOf('translations:manage')).toBe('own');
  expect(both.breadthOf('translations:contribute')).toBe('own');
});

test('a viewer with several roles has the permissions of each role', () => {
  const viewer = person({ roles: ['moderator', 'finance'], memberships: [] });
  expect(viewer.breadthOf('listings:moderate')).toBe('any');
  expect(viewer.breadthOf('disputes:resolve')).toBe('any');
  expect(viewer.breadthOf('languages:manage')).toBeNull();
  expect([...person({ roles: [], memberships: [] }).permissions]).toEqual([]);
});

test('a permission includes the permissions that it implies', () => {
  const translator = person({ roles: ['translator'], memberships: [] });
  expect([...translator.permissions].toSorted()).toEqual(['translations:contribute', 'translations:read']);
});

test.each([
  [[], []],
  [['content:seo'], ['seo:edit', 'seo:reports']],
  [['content:translate'], ['translations:contribute', 'translations:manage', 'translations:read']],
  [[''], []],
])('an API client with the scopes %j has only the permissions %j, for own objects', (scopes, expected) => {
  const machine = { ...token, subject: 'cli_1', subjectType: 'client', scopes: new Set(scopes) } as const;
  const client = new Viewer(machine, principal);
  const held = (Object.keys(permissions) as Permission[]).filter((name) => client.breadthOf(name) === 'own');
  expect(held.toSorted()).toEqual(expected);
  expect([...client.permissions]).toEqual([]);
});

test('isClient and isOperator follow from the subject type of the token', () => {
  const kinds = (['user', 'client', 'operator'] as const).map((subjectType) => {
    const { isClient, isOperator } = new Viewer({ ...token, subjectType }, principal);
    return [isClient, isOperator];
  });
  expect(kinds).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ]);
});

test.each([
  ['AGENT', [false, false, true]],
  ['MANAGER', [false, true, true]],
  ['OWNER', [true, true, true]],
] as const)('the dealer role %s includes only itself and the roles below it', (role, expected) => {
  const viewer = person({ memberships: member(role) });
  const roles = ['OWNER', 'MANAGER', 'AGENT'] as const;
  expect(roles.map((atLeast) => viewer.hasDealerRole('dlr_1', atLeast))).toEqual(expected);
  expect(roles.some((atLeast) => viewer.hasDealerRole('dlr_2', atLeast))).toBe(false);
});
