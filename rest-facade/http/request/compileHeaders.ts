import type { IncomingMessage } from 'node:http';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { Refusal } from '../Refusal.ts';
import { assign, type Variables } from './compileParameters.ts';

/** Fills variables from `If-Match`, `Idempotency-Key` and `Accept-Language`. */
export type HeaderReader = (request: IncomingMessage, variables: Variables) => void;

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const strongTagPattern = /^"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** A version that no record has, so that the precondition fails after the checks of existence and ownership. */
const versionOfNobody = -1;

/** Readers truncate longer ones, so that the subgraphs need not carry them. */
const longestAcceptLanguage = 1001;

/**
 * Compiles the preconditions of a route and the language of its reader. `If-Match` (RFC 9110, 13.1.1) becomes the
 * expected version: the part of the tag before its last dash. `*` requires only that the record exists, as every write
 * does. A foreign tag matches nothing.
 */
export function compileHeaders({
  route,
  ifMatch,
  idempotencyKey,
  acceptLanguage,
}: RouteBinding): HeaderReader {
  const hasNoVersion =
    !ifMatch && (route.method === 'PUT' || route.method === 'PATCH' || route.method === 'DELETE');
  return (request, variables) => {
    const { headers } = request;
    if (acceptLanguage) {
      const wanted = headers['accept-language']?.slice(0, longestAcceptLanguage);
      if (wanted !== undefined) assign(variables, acceptLanguage.target, wanted);
    }
    // For GET, it is compared with the response.
    const match = route.method === 'GET' ? undefined : headers['if-match'];
    if (match !== undefined && match.trim() !== '*') {
      if (ifMatch) assign(variables, ifMatch.target, expectedVersion(match, ifMatch.isInt));
      else if (hasNoVersion) {
        throw new Refusal(
          'precondition_failed',
          'This resource has no versions. Send the request without If-Match.',
        );
      }
    }
    if (!idempotencyKey) return;
    const key = headers['idempotency-key'];
    if (key === undefined) {
      if (!idempotencyKey.required) return;
      throw new Refusal(
        'idempotency_key_required',
        'This method needs an Idempotency-Key, so that a repetition has no second effect.',
      );
    }
    if (typeof key !== 'string' || !keyPattern.test(key)) {
      throw new Refusal(
        'idempotency_key_invalid',
        'An Idempotency-Key must be one value of 1 to 255 visible ASCII characters.',
      );
    }
    assign(variables, idempotencyKey.target, key);
  };
}

function expectedVersion(header: string, isInt: boolean): string | number {
  const versions = new Set(header.split(',').map((tag) => versionOf(tag.trim(), isInt)));
  const [version] = versions;
  if (version === undefined || versions.size > 1) {
    throw new Refusal('malformed_request', 'If-Match must contain exactly one version.');
  }
  return version;
}

function versionOf(tag: string, isInt: boolean): string | number {
  const text = strongTagPattern.exec(tag)?.[1];
  if (text === undefined) return isInt ? versionOfNobody : '';
  const dash = text.lastIndexOf('-');
  const version = dash === -1 ? text : text.slice(0, dash);
  if (!isInt) return version;
  return /^\d{1,9}$/.test(version) ? Number(version) : versionOfNobody;
}
