import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Name of the header that hands a subgraph the request's context when it runs apart from the router. */
export const contextHeaderName = 'trigate-context';

const lifetimeMs = 60_000;

/** Data that the router sends to a subgraph: the installation and the client. The identity is in the token. */
export interface SignedContext {
  installationId: string;
  clientAddress: string;
  userAgent: string;
  requestId: string;
  depth: number;
  partial?: boolean;
  /** Whether the answer goes to another engine, which forwards errors to the client unchanged. */
  forEngine?: boolean;
}

/**
 * Signs a context for 60 seconds: `base64url(JSON).base64url(HMAC-SHA-256)`. It authenticates the router, so a subgraph
 * that is reachable directly refuses other callers.
 */
export function signContext(key: KeyObject, context: SignedContext, nowMs: number): string {
  const body = Buffer.from(JSON.stringify({ ...context, expiresAt: nowMs + lifetimeMs })).toString(
    'base64url',
  );
  return `${body}.${macOf(key, body).toString('base64url')}`;
}

/** Returns the signed context; null if it is missing, forged, altered or older than 60 seconds. */
export function readContext(
  key: KeyObject,
  header: string | string[] | undefined,
  nowMs: number,
): SignedContext | null {
  if (typeof header !== 'string') return null;
  const [body, mac, ...rest] = header.split('.');
  if (!body || !mac || rest.length > 0) return null;
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(key, body);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { expiresAt, ...context } = JSON.parse(
    Buffer.from(body, 'base64url').toString('utf8'),
  ) as SignedContext & {
    expiresAt: number;
  };
  return expiresAt > nowMs ? context : null;
}

/**
 * Computes the authentication code. A key object is much faster than raw key bytes, and every hop computes several
 * codes.
 */
function macOf(key: KeyObject, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest();
}
