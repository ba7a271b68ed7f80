import { createHmac, timingSafeEqual } from 'node:crypto';

/** Content of a link to a private file; following it needs no other lookup. */
export interface FileGrant {
  installationId: string;
  /** See `storageKey`. */
  key: string;
  /** Display name under which it is saved. */
  filename: string;
  contentType: string;
  expiresAt: Date;
  /** Record of the files; the link is also invalid if `isWithheld`. */
  recordId?: string;
}

const version = 1;
const tokenPattern = /^[\w-]{1,4000}\.[\w-]{43}$/;

/**
 * Returns a capability to read one file until a time: `base64url(JSON).base64url(HMAC-SHA-256)`. Every holder may read,
 * so it is given only to the owner and is short-lived.
 *
 * @param secret of purpose `file`
 */
export function signFileToken(secret: Buffer, grant: FileGrant): string {
  const { installationId, key, filename, contentType, expiresAt, recordId } = grant;
  const said = [version, installationId, key, filename, contentType, expiresAt.getTime()];
  const body = Buffer.from(JSON.stringify(recordId ? [...said, recordId] : said)).toString('base64url');
  return `${body}.${codeOf(secret, body).toString('base64url')}`;
}

/** Returns the grant of a token; null if it is forged, changed, encoded differently, or expired. */
export function readFileToken(secret: Buffer, token: string, nowMs: number): FileGrant | null {
  if (!tokenPattern.test(token)) return null;
  const [body = '', code = ''] = token.split('.');
  const given = Buffer.from(code, 'base64url');
  // Unused bits of base64url could be set; each capability has only one valid encoding.
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
