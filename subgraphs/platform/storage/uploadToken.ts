import { createHmac, timingSafeEqual } from 'node:crypto';

/** Content of an upload link; using it needs no other lookup. */
export interface UploadGrant {
  installationId: string;
  /** See `storageKey`: where the bytes arrive. */
  key: string;
  contentType: string;
  /** Bytes: exactly so many, or null for any number up to `mostBytes`. */
  byteSize: number | null;
  mostBytes: number;
  /** Hexadecimal; null if it was not stated. */
  sha256: string | null;
  expiresAt: Date;
}

const version = 1;
const tokenPattern = /^[\w-]{1,2000}\.[\w-]{43}$/;

/**
 * Capability to write the bytes of one file until a time: `base64url(JSON).base64url(HMAC-SHA-256)`. It is bound to the
 * place of the bytes, which names the record, and to what was declared of them.
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

/** The grant of a token, also when its time is over; null when it is forged, changed in any way or spelt otherwise. */
export function readUploadToken(secret: Buffer, token: string): UploadGrant | null {
  if (!tokenPattern.test(token)) return null;
  const [body = '', code = ''] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  // Bits that base64url does not use could be set: one capability has one spelling.
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
