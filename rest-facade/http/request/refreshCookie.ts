import type { IncomingMessage } from 'node:http';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { Refusal } from '../Refusal.ts';
import type { Variables } from './compileParameters.ts';

/** The one cookie of the product: the refresh token of a browser, out of reach of its scripts. */
const cookieName = 'trigate_refresh';
/** Only sent to the token endpoint and to revocation. */
const attributes = 'Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict';
/** Value of a member that represents the cookie. */
const standIn = 'cookie';

/** The cookie of a route, in two steps around its execution. */
export interface RefreshCookie {
  /**
   * Whether the request wants the cookie; its members that say `cookie` get the token of it. The wish itself is the
   * facade's business and goes no further.
   *
   * @param baseUrl of the installation
   * @throws Refusal 403 `origin_not_allowed`, 401 `refresh_token_invalid` if there is no cookie, 400
   *   `ambiguous_credentials` if there are several
   */
  receive(request: IncomingMessage, variables: Variables, baseUrl: string): boolean;
  /** Moves the refresh token out of the data; answers the value of `Set-Cookie`, or nothing if none was issued. */
  hand(data: Record<string, unknown>): string | undefined;
}

/**
 * Compiles the browser option of a route that states `refreshCookie`. A request comes from the installation's own
 * pages if its `Origin` says so, which no page can forge and every browser sends with a POST. `SameSite` keeps the
 * cookie from other sites.
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
      // A route that issues nothing has ended the session.
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
