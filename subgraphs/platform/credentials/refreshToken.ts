import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../ids/newId.ts';

const version = 1;
const sessionBytes = 26;
const counterBytes = 5;
const codeBytes = 16;
const bodyBytes = 1 + sessionBytes + counterBytes;
/** 48 bytes are 64 characters without a bit to spare, so every token has exactly one spelling. */
const tokenPattern = /^[A-Za-z0-9_-]{64}$/;
const largestCounter = 2 ** (8 * counterBytes) - 1;

/** Content of a refresh token: the n-th rotation of a session. */
export interface RefreshToken {
  /** `ses_…` */
  readonly sessionId: string;
  readonly counter: number;
}

/**
 * Returns the refresh token of a session: base64url(version, session, counter, HMAC-SHA-256 truncated to 128 bits). The
 * database stores only the counter. The same counter gives the same token, so that a lost response can be repeated.
 *
 * @param key secret of the purpose `refresh`
 */
export function encodeRefreshToken(key: Buffer, { sessionId, counter }: RefreshToken): string {
  if (!isId('session', sessionId)) throw new RangeError('A refresh token needs a session id.');
  if (!Number.isInteger(counter) || counter < 0 || counter > largestCounter) {
    throw new RangeError(`The counter of a refresh token must be an integer from 0 to ${largestCounter}.`);
  }
  const body = Buffer.alloc(bodyBytes);
  body[0] = version;
  body.write(sessionId.slice('ses_'.length), 1, 'latin1');
  body.writeUIntBE(counter, 1 + sessionBytes, counterBytes);
  return Buffer.concat([body, codeOf(key, body)]).toString('base64url');
}

/**
 * Reads a refresh token; null if this key did not sign it. The database determines whether the session is live and the
 * counter is current.
 */
export function decodeRefreshToken(key: Buffer, text: string): RefreshToken | null {
  if (typeof text !== 'string' || !tokenPattern.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const body = bytes.subarray(0, bodyBytes);
  if (!timingSafeEqual(codeOf(key, body), bytes.subarray(bodyBytes)) || body[0] !== version) return null;
  return {
    sessionId: `ses_${body.toString('latin1', 1, 1 + sessionBytes)}`,
    counter: body.readUIntBE(1 + sessionBytes, counterBytes),
  };
}

function codeOf(key: Buffer, body: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, codeBytes);
}
