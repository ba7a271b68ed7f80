import type { Guard } from '../../../schema/guards/readGuard.ts';
import type { ClientScope } from '../../../schema/permissions.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import type { Identity } from '../principal/Identity.ts';
import type { Viewer } from '../principal/Viewer.ts';
import { assertNetwork } from './assertNetwork.ts';

/**
 * Checks the static part of a guard: everything that depends only on the caller. The router calls it before it reads a
 * body, and every subgraph before it resolves a field, so both refuse alike. The order is identity 401, installation
 * 403, state 403, scope, permission and network 403, second factor and step-up 401.
 *
 * @throws AppError with the first refusal
 */
export function assertGuard(guard: Guard, identity: Identity, context: RequestContext): void {
  if (identity.kind === 'rejected') throw identity.error;
  if (identity.kind === 'anonymous') {
    if (guard.public) return;
    throw new AppError(
      'token_missing',
      'This needs an access token. Send it as "Authorization: Bearer <token>".',
    );
  }
  const { viewer } = identity;
  assertInstallation(viewer, context);
  if (guard.public) return;
  assertState(guard, viewer);
  if (viewer.isClient) assertScope(guard, viewer);
  else if (viewer.isOperator) assertNotPersonal(guard);
  assertPermission(guard, viewer.withMfa);
  assertNetwork(viewer.principal.allowedCidrs ?? [], context);
  assertMfa(guard, viewer);
  assertRecentSignIn(guard, viewer, context.platform.now());
}

/** Returns whether a guard must read the caller from the database instead of the cache of a few seconds. */
export function needsFreshPrincipal({ freshCaller, permission, stepUpMaxAgeSeconds }: Guard): boolean {
  return freshCaller === true || permission !== undefined || stepUpMaxAgeSeconds !== undefined;
}

function assertInstallation(viewer: Viewer, context: RequestContext): void {
  if (viewer.installationId === context.installationId) return;
  throw new AppError('installation_mismatch', 'The access token belongs to another installation.');
}

function assertState(guard: Guard, viewer: Viewer): void {
  const { state } = viewer.principal;
  if (state === 'active' || state === 'unverified' || guard.allowedStates?.includes(state)) return;
  if (state === 'deletion_scheduled') throw deletionScheduled();
  throw new AppError('account_suspended', 'This account is suspended.');
}

/** Returns the 403 for an action that an account in deletion may not perform. */
export function deletionScheduled(): AppError {
  return new AppError(
    'account_deletion_scheduled',
    'The deletion of this account is scheduled. Cancel the deletion first.',
  );
}

function assertScope(guard: Guard, viewer: Viewer): void {
  if (guard.clientScope === '*') return;
  if (guard.clientScope === undefined) {
    throw new AppError(
      'user_token_required',
      'API clients cannot call this. Use the access token of a user.',
    );
  }
  if (viewer.hasScope(guard.clientScope as ClientScope)) return;
  throw new AppError('insufficient_scope', `This needs the scope "${guard.clientScope}".`, {
    challenge: `error="insufficient_scope", scope="${guard.clientScope}"`,
  });
}

/**
 * Refuses an operator, who has no account in the installation and owns nothing. An action without a permission is
 * refused for every record.
 */
function assertNotPersonal({ clientScope, permission, owner, dealerRole }: Guard): void {
  if (clientScope === '*' || permission || owner?.or || dealerRole?.or) return;
  throw new AppError('user_token_required', 'Operators cannot call this. Use the access token of a user.');
}

function assertPermission({ permission }: Guard, viewer: Viewer): void {
  if (!permission) return;
  const breadth = viewer.breadthOf(permission.name);
  if (breadth === 'any' || (breadth === 'own' && permission.breadth === 'OWN')) return;
  throw permissionRequired(permission.name);
}

/** Returns the 403 that names the missing permission. */
export function permissionRequired(name: string): AppError {
  return new AppError('permission_required', `This needs the permission "${name}".`, {
    requiredPermission: name,
  });
}

/**
 * Checks the second factor (RFC 9470, 3). It precedes the age of the sign-in, because it requires a new sign-in anyway.
 */
function assertMfa(guard: Guard, viewer: Viewer): void {
  if (!viewer.lacksMfa || guard.allowsWithoutMfa) return;
  throw new AppError('mfa_required', 'Your role requires a second factor. Enroll one and sign in with it.', {
    challenge: 'error="insufficient_user_authentication", acr_values="mfa"',
  });
}

/**
 * Checks the age of the sign-in.
 *
 * @throws AppError `reauthentication_required` for a sign-in that is older than the guard allows
 */
export function assertRecentSignIn({ stepUpMaxAgeSeconds }: Guard, viewer: Viewer, nowMs: number): void {
  if (stepUpMaxAgeSeconds === undefined) return;
  if (nowMs / 1000 - viewer.token.authTime <= stepUpMaxAgeSeconds) return;
  throw new AppError(
    'reauthentication_required',
    'This needs a recent sign-in. Sign in again and repeat the request.',
    {
      challenge: `error="insufficient_user_authentication", max_age=${stepUpMaxAgeSeconds}`,
    },
  );
}
