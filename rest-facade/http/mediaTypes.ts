import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { Refusal } from './Refusal.ts';

/** Media type of representations. */
export const jsonType = 'application/json';

/** Media type of tables (RFC 4180). */
export const csvType = 'text/csv';

/** Media type of server-sent events (WHATWG HTML, 9.2). */
export const eventStreamType = 'text/event-stream';

/** Media type of problems (RFC 9457, 3). */
export const problemType = 'application/problem+json';

/** Media type of a merge patch (RFC 7396, 4). */
export const mergePatchType = 'application/merge-patch+json';

/** Media type of forms. */
export const formType = 'application/x-www-form-urlencoded';

/**
 * Returns the media type of the body, in lower case and without parameters.
 *
 * @param accepted types of the route
 * @throws Refusal 415 for a missing or other type, and for a charset other than UTF-8
 */
export function assertMediaType(request: IncomingMessage, accepted: ReadonlySet<string>): string {
  const header = request.headers['content-type'] ?? '';
  if (header === jsonType && accepted.has(jsonType)) return jsonType;
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const name = type.trim();
  if (!accepted.has(name)) {
    const names = [...accepted].join(' or ');
    throw new Refusal(
      'unsupported_media_type',
      `The body must be sent as ${names}.`,
      {},
      acceptHeader(request, names),
    );
  }
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split('=');
    if (key.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())) continue;
    throw new Refusal('unsupported_media_type', 'The body must be encoded as UTF-8.');
  }
  return name;
}

/** Returns the header that states the accepted types (RFC 5789, 2.2 and RFC 9110, 15.5.16). */
function acceptHeader(request: IncomingMessage, names: string): Record<string, string> {
  const value = names.replaceAll(' or ', ', ');
  return request.method === 'PATCH' ? { 'Accept-Patch': value } : { Accept: value };
}

/**
 * Returns the available type that the client prefers; the first one for a client that accepts any type.
 *
 * @throws Refusal 406 `not_acceptable`
 */
export function negotiateType(request: IncomingMessage, types: readonly string[]): string {
  const [preferred] = new Negotiator(request).mediaTypes([...types]);
  if (preferred !== undefined) return preferred;
  throw new Refusal('not_acceptable', `This resource is only available as ${types.join(' or ')}.`);
}

/**
 * Returns the media type of an error of OAuth: JSON for a client that prefers it to problems, because strict client libraries
 * refuse every other type (RFC 6749, 5.2).
 */
export function oauthErrorType(request: IncomingMessage): string {
  return new Negotiator(request).mediaType([problemType, jsonType]) ?? problemType;
}

/** Returns whether the client prefers a page to JSON, as a browser that opens an address does. */
export function prefersPage(request: IncomingMessage): boolean {
  return new Negotiator(request).mediaType([jsonType, 'text/html']) === 'text/html';
}

/**
 * Checks that the client accepts JSON; without `Accept` it accepts any type.
 *
 * @throws Refusal 406 `not_acceptable`
 */
export function assertAcceptsJson(request: IncomingMessage): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === '*/*' || accept.startsWith(jsonType)) return;
  if (new Negotiator(request).mediaTypes([jsonType, problemType]).length > 0) return;
  throw new Refusal('not_acceptable', `This resource is only available as ${jsonType}.`);
}
