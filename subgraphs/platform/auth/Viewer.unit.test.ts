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

test.each(['active', 'unverified'] as const)('a role gives its permissions to an %s account', (state) => {
  const viewer = new Viewer(token, { ...principal, state });
  expect(viewer.breadthOf('languages:manage')).toBe('any');
  expect(new Viewer(token, { ...principal, state, roles: [] }).breadthOf('translations:manage')).toBe('own');
});

test.each(['suspended', 'deletion_scheduled'] as const)(
  'an account that is %s has no permission, whatever its roles and dealers',
  (state) => {
    const viewer = new Viewer(token, { ...principal, state });
    expect([...viewer.permissions]).toEqual([]);
    for (const permission of ['languages:manage', 'seo:edit', 'translations:read'] as const)
      expect(viewer.breadthOf(permission)).toBeNull();
  },
);

test('a viewer without the second factor that their role requires has no permission', () => {
  const demanding = ['installation_admin'];
  const without = new Viewer(token, principal, demanding);
  expect([...without.permissions]).toEqual([]);
  expect(without.breadthOf('seo:edit')).toBeNull();
  expect(without.withMfa.breadthOf('seo:edit')).toBe('any');
  const shown = new Viewer({ ...token, amr: ['pwd', 'otp'] }, principal, demanding);
  expect(shown.breadthOf('seo:edit')).toBe('any');
  expect(new Viewer(token, principal, ['finance']).lacksMfa).toBe(false);
});
