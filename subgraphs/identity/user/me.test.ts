import { Viewer } from '../../platform/auth/Viewer.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { me } from './me.ts';

const viewer = new Viewer(
  {
    subject: 'cli_1',
    subjectType: 'client',
    installationId: 'ins_1',
    sessionId: 'ses_1',
    scopes: new Set(['listings:write', 'listings:read']),
    authTime: 1_700_000_000,
    amr: [],
    dealerId: 'dlr_1',
    expiresAt: 1_700_000_600,
  },
  {
    state: 'active',
    emailVerified: false,
    roles: [],
    memberships: [
      { dealerId: 'dlr_1', name: 'Garage', dealerState: 'active', role: 'MANAGER', locationIds: [] },
    ],
  },
);

test('an API client sees its dealer and scopes, no profile and no permissions, without a command', async () => {
  // No database is open in this file: a read would throw.
  const view = await me({ viewer, installationId: 'ins_1', installation: { id: 'ins_1' } } as RequestContext);
  expect(view).toMatchObject({
    id: 'cli_1',
    subjectType: 'client',
    email: undefined,
    notificationPreferences: null,
    permissions: [],
    scopes: ['listings:read', 'listings:write'],
    dealerMemberships: [{ dealerId: 'dlr_1', role: 'MANAGER' }],
    session: { id: 'ses_1', accessExpiresAt: new Date(1_700_000_600_000) },
  });
});
