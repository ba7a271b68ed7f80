import { isNonNullType } from 'graphql';
import type { ErrorCode } from '../errorCodes.ts';
import type { Guard } from '../guards/readGuard.ts';
import { namesReadOnly } from '../route/namesReadOnly.ts';
import type { RouteBinding } from '../route/RouteBinding.ts';

const tokenCodes: readonly ErrorCode[] = [
  'token_malformed',
  'token_invalid',
  'token_expired',
  'token_not_yet_valid',
  'token_revoked',
  'session_revoked',
  'subject_unknown',
];

/**
 * Returns the error codes of a route, derived from its guard, binding and field. The `errors` of the route add those
 * that only its resolver knows.
 */
export function errorsOf(binding: RouteBinding): Set<ErrorCode> {
  const { route, traits } = binding;
  const codes = new Set<ErrorCode>(['method_not_allowed', 'not_acceptable', 'uri_too_long']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  add('malformed_request', 'unsupported_parameter');
  if (!route.ignoreAuthorization) add('ambiguous_credentials', 'installation_mismatch', ...tokenCodes);
  if (route.basicClient) add('ambiguous_credentials', 'client_invalid');
  if (route.refreshCookie.length > 0) add('origin_not_allowed');
  addGuard(binding.guard, add);
  addRequest(binding, add);
  if (binding.paging) add('invalid_cursor');
  if (canBeMissing(binding)) add('not_found');
  if (traits.rateClass) add('rate_limited');
  add(...route.errors, 'internal_error', 'upstream_error', 'unavailable', 'upstream_timeout');
  return codes;
}

type Add = (...codes: ErrorCode[]) => void;

function addGuard(guard: Guard, add: Add): void {
  if (guard.public) return;
  add('token_missing', 'account_suspended', 'account_deletion_scheduled');
  if (guard.permission) add('permission_required');
  if (guard.permission?.breadth === 'OWN' || guard.owner) add('ownership_required');
  if (guard.dealerRole) add('ownership_required', 'dealer_role_required');
  add(guard.clientScope ? 'insufficient_scope' : 'user_token_required');
  if (!guard.allowsWithoutMfa) add('mfa_required');
  if (guard.stepUpMaxAgeSeconds) add('reauthentication_required');
}

function addRequest({ route, body, ifMatch, idempotencyKey }: RouteBinding, add: Add): void {
  const writes = route.method !== 'GET';
  if (writes)
    add('invalid_json', 'unsupported_media_type', 'payload_too_large', 'request_timeout', 'unknown_field');
  if (body && body.members.length > 0) add('validation_failed');
  if (body && namesReadOnly(route)) add('read_only_field');
  const isVersioned = route.method !== 'GET' && route.method !== 'POST';
  if (ifMatch || isVersioned || (route.etag && !writes)) add('precondition_failed');
  if (!idempotencyKey) return;
  add('idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused');
  if (idempotencyKey.required) add('idempotency_key_required');
}

function canBeMissing({ route, guard, result }: RouteBinding): boolean {
  return (
    route.pathParameters.length > 0 || Boolean(guard.owner) || (result ? !isNonNullType(result.type) : false)
  );
}
