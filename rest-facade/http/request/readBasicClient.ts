import type { IncomingMessage } from 'node:http';
import { Refusal } from '../Refusal.ts';
import type { Variables } from './compileParameters.ts';
import { decodeEscapes } from './readQuery.ts';

/** Returns whether the client uses Basic credentials; a refusal then names that scheme (RFC 6749, 5.2). */
export function hasBasicCredentials({ headers }: IncomingMessage): boolean {
  return /^basic /i.test(headers.authorization ?? '');
}

/**
 * Moves client credentials of the `Authorization` header (RFC 6749, 2.3.1) to the members of the body.
 *
 * @throws Refusal 401 `client_invalid` if they cannot be read, 400 `ambiguous_credentials` if the body has them as
 *   well
 */
export function readBasicClient(request: IncomingMessage, variables: Variables): void {
  if ((request.headersDistinct.authorization?.length ?? 0) > 1) {
    throw new Refusal(
      'ambiguous_credentials',
      'The request has more than one Authorization header. Send exactly one.',
    );
  }
  if (!hasBasicCredentials(request)) return;
  const encoded = (request.headers.authorization ?? '').slice('basic '.length).trim();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw new Refusal('client_invalid', 'The Basic credentials must be "id:secret" in base64.');
  const input = (variables.input ?? {}) as Record<string, unknown>;
  if (input.clientId !== undefined || input.clientSecret !== undefined) {
    throw new Refusal(
      'ambiguous_credentials',
      'Client credentials are in the header and in the body. Send them once.',
    );
  }
  input.clientId = decodePart(text.slice(0, colon));
  input.clientSecret = decodePart(text.slice(colon + 1));
  variables.input = input;
}

function decodePart(text: string): string {
  return decodeEscapes(text.replaceAll('+', ' '));
}
