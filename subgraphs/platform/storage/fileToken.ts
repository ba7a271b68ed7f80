import { createHmac, timingSafeEqual } from 'node:crypto';

/** Content of a link to a private file; following it needs no other lookup. */
export interface FileGrant {
  installationId: string;
  /** See `storageKey`. */
  key: string;
  /** Name under which it is saved, as a person reads it. */
  filename: string;
  contentType: string;
  expiresAt: Date;
  /** The record whose files these are: the link ends with `isWithheld`, too. */
  recordId?: string;
}

const version = 1;
const tokenPattern = /^[\w-]{1,4000}\.[\w-]{43}$/;

/**
 * Capability to read one file until a time: `base64url(JSON).base64url(HMAC-SHA-256)`. Every holder may read, so it
 * is given to the owner only and is short-lived.
 *
 * @param secret of purpose `file`
 */
export function signFileToken(secret: Buffer, grant: FileGrant): string {
  const { installationId, key, filename, contentType, expiresAt, recordId } = grant;
  const said = [version, installationId, key, filename, contentType, expiresAt.getTime()];
  const body = Buffer.from(JSON.stringify(recordId ? [...said, recordId] : said)).toString('base64url');
  return `${body}.${codeOf(secret, body).toString('base64url')}`;
}

/** The grant of a token; null when it is forged, changed in any way, spelt otherwise, or over. */
export function readFileToken(secret: Buffer, token: string, nowMs: number): FileGrant | null {
  if (!tokenPattern.test(token)) return null;
  const [body = '', code = ''] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  // Bits that base64url does not use could be set: one capability has one spelling.
  if (given.toString('base64url') !== code) return null;
  if (!timingSafeEqual(codeOf(secret, body), given)) return null;
  const [, installationId, key, filename, contentType, expiresAtMs, recordId] = JSON.parse(
    Buffer.from(body, 'base64url').toString('utf8'),
  ) as [number, string, string, string, string, number, string | undefined];
  if (expiresAtMs <= nowMs) return null;
  const expiresAt = new Date(expiresAtMs);
  return { installationId, key, filename, contentType, expiresAt, ...(recordId ? { recordId } : {}) };
}

function codeOf(secret: Buffer, body: string): Buffer {
  return createHmac('sha256', secret).update(body).digest();
}
