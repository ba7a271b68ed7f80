import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../platform/errors/AppError.ts';

const toleranceMs = 300_000;
const mostSignatures = 16;

/**
 * Verifies that a webhook was signed with one of the secrets within the last five minutes. The header is
 * `t=<seconds>,v1=<hex of HMAC-SHA-256 over "t.body">`, with several signatures while secrets are rotated.
 *
 * @param body unmodified bytes, because a reserialized body has another signature
 * @throws AppError `signature_invalid`
 */
export function verifySignature(
  { body, signature }: { body: Buffer; signature: string | undefined },
  secrets: readonly string[],
  now: number,
): void {
  const parts = (signature ?? '').split(',', mostSignatures).map((part) => part.split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) throw invalid();
  const given = parts.flatMap(([name, value]) =>
    name === 'v1' && value !== undefined && /^[0-9a-f]{64}$/.test(value) ? [Buffer.from(value, 'hex')] : [],
  );
  const expected = secrets.map((secret) => signatureOf(secret, time, body));
  // Every pair is compared, so that the duration does not reveal which secret matches.
  const fits = given.flatMap((one) => expected.map((other) => timingSafeEqual(one, other))).includes(true);
  if (!fits || Math.abs(now - Number(time) * 1000) > toleranceMs) throw invalid();
}

/** Returns the signature header of a webhook that is sent at this time. */
export function signatureHeader(secret: string, at: number, body: Buffer): string {
  const time = String(Math.floor(at / 1000));
  return `t=${time},v1=${signatureOf(secret, time, body).toString('hex')}`;
}

function signatureOf(secret: string, time: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest();
}

function invalid(): AppError {
  return new AppError(
    'signature_invalid',
    'The signature does not match the event, or is older than five minutes.',
  );
}
