import type { Guard } from '../../../schema/guards/readGuard.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { type Principal, type TokenFacts, Viewer } from '../principal/Viewer.ts';
import { assertGuard, needsFreshPrincipal } from './checkGuard.ts';

const nowMs = Date.UTC(2026, 4, 2);
const token: TokenFacts = {
  subject: 'usr_1',
  subjectType: 'user',
  installationId: 'ins_demo',
  sessionId: 'ses_1',
  scopes: new Set(),
  authTime: nowMs / 1000 - 60,
  amr: ['pwd'],
  expiresAt: nowMs / 1000 + 600,
};
const principal: Principal = { state: 'active', emailVerified: true, roles: ['buyer'], memberships: [] };

interface Caller {
  readonly token?: Partial<TokenFacts>;
  readonly principal?: Partial<Principal>;
}

/** The refusal of a caller, or null. */
function refusalOf(guard: Guard, caller: Caller = {}): AppError | null {
  const viewer = new Viewer({ ...token, ...caller.token }, { ...principal, ...caller.principal }, [
    'finance',
  ]);
  const context = {
    installationId: 'ins_demo',
    clientAddress: '203.0.113.7',
    platform: { now: () => nowMs },
  };
  try {
    assertGuard(guard, { kind: 'accepted', viewer }, context as unknown as RequestContext);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const operator: Caller = {
  token: { subject: 'opr_1', subjectType: 'operator' },
  principal: { roles: ['operator'] },
};
const client = (...scopes: string[]): Caller => ({
  token: { subject: 'cli_1', subjectType: 'client', scopes: new Set(scopes) },
});

test.each<[string, Guard, string | null]>([
  [
    'an operator is refused a field that requires only authentication',
    { authenticated: true },
    'user_token_required',
  ],
  ['an operator is refused an owned record', { owner: { type: 'Thing', id: 'id' } }, 'user_token_required'],
  [
    'an operator is refused a field that requires a dealer role',
    { dealerRole: { atLeast: 'AGENT', dealer: 'id' } },
    'user_token_required',
  ],
  [
    'an operator is refused a field with a client scope',
    { authenticated: true, clientScope: 'dealer:read' },
    'user_token_required',
  ],
  ['an operator may call a field for every API client', { authenticated: true, clientScope: '*' }, null],
  [
    'an operator may call a field that requires a permission',
    { permission: { name: 'ledger:adjust', breadth: 'ANY' } },
    null,
  ],
  [
    'an operator may call an owned record that has an alternative permission',
    { owner: { type: 'Thing', id: 'id', or: 'plans:read' } },
    null,
  ],
  [
    'an operator may call a field whose dealer role has an alternative permission',
    { dealerRole: { atLeast: 'AGENT', dealer: 'id', or: 'plans:read' } },
    null,
  ],
])('%s', (_, guard, code) => {
  expect(refusalOf(guard, operator)?.code ?? null).toBe(code);
});

test.each<[string, Guard, Caller, string | null]>([
  [
    'an unverified account may call a field that requires authentication',
    { authenticated: true },
    { principal: { state: 'unverified' } },
    null,
  ],
  [
    'an account in a state that the guard names is accepted',
    { authenticated: true, allowedStates: ['suspended'] },
    { principal: { state: 'suspended' } },
    null,
  ],
  [
    'an account in a state that the guard does not name is refused',
    { authenticated: true, allowedStates: ['suspended'] },
    { principal: { state: 'deletion_scheduled' } },
    'account_deletion_scheduled',
  ],
  [
    'a deleted account is refused',
    { authenticated: true },
    { principal: { state: 'deleted' } },
    'account_suspended',
  ],
  [
    'a public field is open to a suspended account',
    { public: true },
    { principal: { state: 'suspended' } },
    null,
  ],
  [
    'a client within its networks is accepted',
    { authenticated: true, clientScope: '*' },
    { ...client(), principal: { allowedCidrs: ['203.0.113.0/24'] } },
    null,
  ],
  [
    'a client outside of its networks is refused',
    { authenticated: true, clientScope: '*' },
    { ...client(), principal: { allowedCidrs: ['192.0.2.0/24'] } },
    'origin_not_allowed',
  ],
  [
    'a client without its scope is refused before its network',
    { authenticated: true, clientScope: 'dealer:read' },
    { ...client(), principal: { allowedCidrs: ['192.0.2.0/24'] } },
    'insufficient_scope',
  ],
  [
    'a permission for own objects suffices for a guard of breadth OWN',
    { permission: { name: 'seo:edit', breadth: 'OWN' } },
    { principal: { roles: ['seller'] } },
    null,
  ],
  [
    'a caller without the permission is refused by a guard of breadth OWN',
    { permission: { name: 'seo:edit', breadth: 'OWN' } },
    {},
    'permission_required',
  ],
  [
    'a permission for own objects is refused by a guard of breadth ANY',
    { permission: { name: 'seo:edit', breadth: 'ANY' } },
    { principal: { roles: ['seller'] } },
    'permission_required',
  ],
  [
    'a permission for all objects suffices for a guard of breadth OWN',
    { permission: { name: 'seo:edit', breadth: 'OWN' } },
    { principal: { roles: ['editor'] } },
    null,
  ],
  [
    'a sign-in of exactly the maximum age is accepted',
    { authenticated: true, stepUpMaxAgeSeconds: 60 },
    {},
    null,
  ],
  [
    'a sign-in that is one second older than the maximum age is refused',
    { authenticated: true, stepUpMaxAgeSeconds: 59 },
    {},
    'reauthentication_required',
  ],
])('%s', (_, guard, caller, code) => {
  expect(refusalOf(guard, caller)?.code ?? null).toBe(code);
});

test.each<[string, Guard, Caller, object]>([
  [
    'a missing scope',
    { authenticated: true, clientScope: 'dealer:read' },
    client(),
    { status: 403, details: { challenge: 'error="insufficient_scope", scope="dealer:read"' } },
  ],
  [
    'a missing permission',
    { permission: { name: 'audit:read', breadth: 'ANY' } },
    {},
    { status: 403, details: { requiredPermission: 'audit:read' } },
  ],
  [
    'a missing second factor',
    { authenticated: true },
    { principal: { roles: ['finance'] } },
    { status: 401, details: { challenge: 'error="insufficient_user_authentication", acr_values="mfa"' } },
  ],
  [
    'an old sign-in',
    { authenticated: true, stepUpMaxAgeSeconds: 30 },
    {},
    { status: 401, details: { challenge: 'error="insufficient_user_authentication", max_age=30' } },
  ],
])('the refusal for %s names the remedy', (_, guard, caller, expected) => {
  expect(refusalOf(guard, caller)).toMatchObject(expected);
});

test.each<[Guard, boolean]>([
  [{ public: true }, false],
  [{ authenticated: true }, false],
  [{ owner: { type: 'Thing', id: 'id' } }, false],
  [{ authenticated: true, freshCaller: true }, true],
  [{ permission: { name: 'audit:read', breadth: 'ANY' } }, true],
  [{ authenticated: true, stepUpMaxAgeSeconds: 600 }, true],
])('a guard of %j requires an uncached caller: %s', (guard, expected) => {
  expect(needsFreshPrincipal(guard)).toBe(expected);
});
