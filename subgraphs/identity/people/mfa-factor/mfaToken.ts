import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Time between password and code. */
export const mfaTokenLifeMs = 5 * 60_000;

/** A sign-in whose first step is done: by whom, where, and with what. */
export interface MfaToken {
  readonly id: string;
  readonly userId: string;
  readonly installationId: string;
  /** Application of the first step; only it may make the second one. */
  readonly clientId: string;
  /** The first step (RFC 8176). */
  readonly method: 'pwd' | 'ext';
  /** Time of the first step, in milliseconds since 1970; null if unknown. */
  readonly authTime: number | null;
  /** Password version, see `passwordVersionOf`. */
  readonly passwordVersion: string;
  /** Expiry in milliseconds since 1970. */
  readonly expiresAt: number;
}

const members = [
  'id',
  'userId',
  'installationId',
  'clientId',
  'method',
  'authTime',
  'passwordVersion',
  'expiresAt',
] as const;

/** Returns the id of a new single-use token. */
export function newMfaTokenId(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns a value that changes with the password, so that tokens of the old password become invalid. */
export function passwordVersionOf(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Returns `base64url(members).base64url(HMAC-SHA-256)`. Its content is not secret, but cannot be forged.
 *
 * @param key secret of the purpose `mfaToken`
 */
export function encodeMfaToken(key: Buffer, token: MfaToken): string {
  const body = Buffer.from(JSON.stringify(members.map((name) => token[name]))).toString('base64url');
  return `${body}.${codeOf(key, body).toString('base64url')}`;
}

/** Reads a token that this key signed; null for everything else. The caller checks its expiry and its single use. */
export function decodeMfaToken(key: Buffer, text: string): MfaToken | null {
  const [body = '', code = '', ...rest] = text.length <= 1024 ? text.split('.') : [];
  const given = Buffer.from(code, 'base64url');
  const expected = codeOf(key, body);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  // Another encoding of the same bytes would count as another token.
  if (given.toString('base64url') !== code) return null;
  const values = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as MfaToken[keyof MfaToken][];
  return Object.fromEntries(members.map((name, index) => [name, values[index]])) as unknown as MfaToken;
}

function codeOf(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest();
}
