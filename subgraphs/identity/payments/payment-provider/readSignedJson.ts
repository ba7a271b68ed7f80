import { AppError } from '../../../platform/errors/AppError.ts';
import type { ReceivedWebhook } from './PaymentProvider.ts';
import { verifySignature } from './verifySignature.ts';

/**
 * Returns the object of a signed webhook. Nothing is parsed before the signature is verified.
 *
 * @throws AppError `signature_invalid`, `malformed_request`
 */
export function readSignedJson(
  webhook: ReceivedWebhook,
  secrets: readonly string[],
  now: number,
): Record<string, unknown> {
  verifySignature(webhook, secrets, now);
  let value: unknown;
  try {
    value = JSON.parse(webhook.body.toString('utf8'));
  } catch {
    throw new AppError('invalid_json', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('malformed_request', 'The event is not a JSON object.');
  return value as Record<string, unknown>;
}
