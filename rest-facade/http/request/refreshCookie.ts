import type { IncomingMessage } from 'node:http';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { Refusal } from '../Refusal.ts';
import type { Variables } from './compileParameters.ts';

/** The one cookie of the product: the refresh token of a browser, out of reach of its scripts. */
const cookieName = 'trigate_refresh';
/** Sent only to the token endpoint and to revocation. */
const attributes = 'Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict';
/** Value of a member that represents the cookie. */
const standIn = 'cookie';

/** The cookie of a route, in two steps around its execution. */
export interface RefreshCookie {
  /**
   * Returns whether the request uses the cookie; members with the value `cookie` get its token. The option is handled
   * by the facade and not passed on.
   *
   * @param baseUrl of the installation
   * @throws Refusal 403 `origin_not_allowed`, 401 `refresh_token_invalid` if there is no cookie, 400
   *   `ambiguous_credentials` if there are several
   */
  receive(request: IncomingMessage, variables: Variables, baseUrl: string): boolean;
  /** Moves the refresh token out of the data. Returns the value of `Set-Cookie`, or undefined if none was issued. */
  hand(data: Record<string, unknown>): string | undefined;
}

/**
 * Compiles the browser option of a route with `refreshCookie`. A request comes from the installation's own pages if its
 * `Origin` states so. Pages cannot forge it, and every browser sends it with a POST. `SameSite` withholds the cookie
 * from other sites.
 */
export function compileRefreshCookie({ route, body }: RouteBinding): RefreshCookie | null {
  if (route.refreshCookie.length === 0 || !body) return null;
  return {
    receive(request, variables, baseUrl) {
      const input = variables[body.variable] as Record<string, unknown>;
      const { refreshCookie: isWanted } = input;
      delete input.refreshCookie;
      if (isWanted !== true) return false;
      assertOrigin(request, baseUrl);
      for (const name of route.refreshCookie)
        if (input[name] === standIn) input[name] = readRefreshCookie(request);
      return true;
    },
    hand(data) {
      const tokens = (route.result ?? []).reduce<unknown>(
        (at, name) => (at as Record<string, unknown> | null)?.[name],
        data,
      ) as { refreshToken?: string | null; refreshExpiresIn?: number | null };
      // A route that issues no token has ended the session.
      if (!Object.hasOwn(tokens, 'refreshToken')) return `${cookieName}=; Max-Age=0; ${attributes}`;
      const { refreshToken, refreshExpiresIn } = tokens;
      if (!refreshToken) return undefined;
      tokens.refreshToken = null;
      return `${cookieName}=${refreshToken}; Max-Age=${refreshExpiresIn ?? 0}; ${attributes}`;
    },
  };
}

function assertOrigin({ headers }: IncomingMessage, baseUrl: string): void {
  if (headers.origin !== undefined && headers.origin === new URL(baseUrl).origin) return;
  throw new Refusal(
    'origin_not_allowed',
    'The session cookie is only accepted from pages of the installation itself.',
    {
      error: 'access_denied',
    },
  );
}

function readRefreshCookie({ headers }: IncomingMessage): string {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  const [value] = new Set(values);
  if (!value) {
    throw new Refusal(
      'refresh_token_invalid',
      'The request has no cookie with a refresh token. Sign in again.',
      {
        error: 'invalid_grant',
        challenge: 'error="invalid_token"',
      },
    );
  }
  if (new Set(values).size === 1) return value;
  throw new Refusal(
    'ambiguous_credentials',
    'The request has several cookies with a refresh token. Sign in again.',
  );
}
