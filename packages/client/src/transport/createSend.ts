import type { Session } from '../session/Session.ts';
import { fetchWithRetries, type RetryOptions } from './retry.ts';

/** Sends a request as the signed-in user. */
export type Send = (
  request: Request,
  options?: {
    /** Says of a POST that repeating it does no harm. */
    isRepeatable?: boolean;
    /** Sends no token and renews none. */
    anonymous?: boolean;
  },
) => Promise<Response>;

/** What `send` needs. */
export interface SendOptions {
  fetch: (request: Request) => Promise<Response>;
  retry: RetryOptions;
  /** Asked when a request is sent: session and `send` need each other. */
  session: () => Session;
}

/**
 * Adds the access token, repeats what may be repeated, and asks once more with a renewed token when the service refuses
 * the present one. A refused token is refused before anything is done, so that this holds for every method.
 */
export function createSend({ fetch, retry, session }: SendOptions): Send {
  return async (request, { isRepeatable, anonymous = false } = {}) => {
    const token =
      anonymous || request.headers.has('authorization') ? undefined : await session().accessToken();
    if (token === undefined) return fetchWithRetries(fetch, request, retry, isRepeatable);
    const spare = request.clone();
    const response = await fetchWithRetries(fetch, withToken(request, token), retry, isRepeatable);
    if (response.status !== 401 || !isTokenRefused(response)) return response;
    const renewed = await session().renew(token);
    if (renewed === undefined || renewed === token) return response;
    await response.body?.cancel();
    return fetchWithRetries(fetch, withToken(spare, renewed), retry, isRepeatable);
  };
}

function withToken(request: Request, token: string): Request {
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${token}`);
  return new Request(request, { headers });
}

/** RFC 6750, 3.1; a step-up (RFC 9470) is another error, which no refresh cures. */
function isTokenRefused({ headers }: Response): boolean {
  return /error="?invalid_token/.test(headers.get('www-authenticate') ?? '');
}
