import type { Session } from '../session/Session.ts';
import { fetchWithRetries, type RetryOptions } from './retry.ts';

/** Sends a request as the signed-in user. */
export type Send = (
  request: Request,
  options?: {
    /** Marks a POST as safe to repeat. */
    isRepeatable?: boolean;
    /** Whether to send no token and renew none. */
    anonymous?: boolean;
  },
) => Promise<Response>;

/** Dependencies of `send`. */
export interface SendOptions {
  fetch: (request: Request) => Promise<Response>;
  retry: RetryOptions;
  /** Called when a request is sent, because session and `send` depend on each other. */
  session: () => Session;
}

/**
 * Adds the access token, retries requests that may be repeated, and sends a request once more with a renewed token if
 * the service refuses the current one. The service refuses a token before the request has an effect, so this is safe
 * for every method.
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

/**
 * Returns whether the token was refused (RFC 6750, 3.1). A step-up (RFC 9470) is another error, which a refresh does
 * not fix.
 */
function isTokenRefused({ headers }: Response): boolean {
  return /error="?invalid_token/.test(headers.get('www-authenticate') ?? '');
}
