import { createHmac, timingSafeEqual } from 'node:crypto';

/** Content of an upload link; using it needs no other lookup. */
export interface UploadGrant {
  installationId: string;
  /** See `storageKey`: where the bytes arrive. */
  key: string;
  contentType: string;
  /** Exact number of bytes, or null for any number up to `mostBytes`. */
  byteSize: number | null;
  mostBytes: number;
  /** Hexadecimal; null if it was not stated. */
  sha256: string | null;
  expiresAt: Date;
}

const version = 1;
const tokenPattern = /^[\w-]{1,2000}\.[\w-]{43}$/;

/**
 * Returns a capability to write the bytes of one file until a time: `base64url(JSON).base64url(HMAC-SHA-256)`. It is
 * bound to the key of the bytes, which names the record, and to their declaration.
 *
 * @param secret of purpose `upload`
 */
export function signUploadToken(secret: Buffer, grant: UploadGrant): string {
  const { installationId, key, contentType, byteSize, mostBytes, sha256, expiresAt } = grant;
  const members = [
    version,
    installationId,
    key,
    contentType,
    byteSize,
    mostBytes,
    sha256,
    expiresAt.getTime(),
  ];
  const body = Buffer.from(JSON.stringify(members)).toString('base64url');
  return `${body}.${codeOf(secret, body).toString('base64url')}`;
}

/** Returns the grant of a token, even if it has expired; null if it is forged, changed or encoded differently. */
export function readUploadToken(secret: Buffer, token: string): UploadGrant | null {
  if (!tokenPattern.test(token)) return null;
  const [body = '', code = ''] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  // Unused bits of base64url could be set; each capability has only one valid encoding.
  if (given.toString('base64url') !== code) return null;
  if (!timingSafeEqual(codeOf(secret, body), given)) return null;
  const [, installationId, key, contentType, byteSize, mostBytes, sha256, expiresAtMs] = JSON.parse(
    Buffer.from(body, 'base64url').toString('utf8'),
  ) as [number, string, string, string, number | null, number, string | null, number];
  return { installationId, key, contentType, byteSize, mostBytes, sha256, expiresAt: new Date(expiresAtMs) };
}

function codeOf(secret: Buffer, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
