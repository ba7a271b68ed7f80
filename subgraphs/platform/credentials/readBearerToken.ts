import { refuseToken } from './refuseToken.ts';

/** Characters of the longest token. */
const longestToken = 8192;
const scheme = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+/;
/** RFC 6750, 2.1: one or more spaces, then token68. */
const credentials = /^ +([A-Za-z0-9._~+/-]+=*)$/;
/** Matches two header lines that a proxy or `Headers` has joined. */
const joined = /, *(?:bearer|basic) /i;

/**
 * Returns all `Authorization` values of a request as received. Node keeps only the first one in `headers`, which would
 * hide a second one that another hop may have used.
 *
 * @param rawHeaders alternating names and values, as in `IncomingMessage.rawHeaders`
 * @returns undefined for none, the value for one, the list for several
 */
export function readAuthorization(rawHeaders: readonly string[]): string | string[] | undefined {
  let found: string | string[] | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    // The length is compared first, because it differs for nearly every header, and most requests pass here.
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    const value = rawHeaders[index + 1] as string;
    found = found === undefined ? value : [found, value].flat();
  }
  return found;
}

/**
 * Returns the one bearer token of a request (RFC 6750, 2.1). The scheme is case-insensitive (RFC 9110, 11.1). Tokens in
 * the query, in the body or in cookies are ignored.
 *
 * @throws AppError `token_missing` without credentials or with another scheme, `ambiguous_credentials` for more than
 *   one, `token_malformed` for anything but one token of at most 8 KiB
 */
export function readBearerToken(authorization: string | readonly string[] | undefined): string {
  const values = typeof authorization === 'string' ? [authorization] : (authorization ?? []);
  const [value = ''] = values;
  if (values.length > 1 || joined.test(value)) throw refuseToken('ambiguous_credentials', 'authorization');
  if (value.trim() === '') throw refuseToken('token_missing', 'authorization');
  const name = scheme.exec(value)?.[0];
  if (name === undefined) throw refuseToken('token_malformed', 'authorization');
  if (name.toLowerCase() !== 'bearer') throw refuseToken('token_missing', 'authorization');
  const token = credentials.exec(value.slice(name.length))?.[1];
  if (token === undefined) throw refuseToken('token_malformed', 'authorization');
  if (token.length > longestToken) throw refuseToken('token_malformed', 'size');
  return token;
}
