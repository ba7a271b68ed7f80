import { AppError } from '../../../platform/errors/AppError.ts';
import { asFinal } from '../../../platform/idempotency/finalAnswers.ts';
import { hourMs } from '../../../platform/time/durations.ts';

/**
 * Known status of a failed request.
 * - `unknown`: it may have succeeded (no response, a truncated response, a server error of the provider), or the
 *   request is valid (an API key that the provider does not accept). It is retried.
 * - `later`: it was not carried out, because the provider's account lacks the money. The same request succeeds later.
 * - `refused`: it was not carried out, and the same request will be refused again.
 * - `missing`: the provider does not show such an object to this deployment. The API key may be that of another account,
 *   so an earlier request may have succeeded. It is retried.
 */
export type ProviderFailureKind = 'unknown' | 'later' | 'refused' | 'missing';

/** Code of a refund that is refused because the payer's bank disputes the payment, or has charged it back. */
export const disputedCode = 'charge_disputed';

/** Failure of a call to a payment provider. The message is for logs: it may quote the provider. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** Error code of the provider. */
  readonly code: string;
  /** Whether the same order will never be carried out. */
  readonly isFinal: boolean;
  /** Whether the provider returns the same response for the same idempotency key, so that a retry needs another key. */
  readonly isKept: boolean;

  constructor(
    kind: ProviderFailureKind,
    code: string,
    message: string,
    { isKept = false, ...options }: ErrorOptions & { isKept?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.code = code;
    this.isFinal = kind === 'refused';
    this.isKept = isKept;
  }
}

/** An order that may have been carried out is repeated soon. */
const repeatMs = 30_000;
/** A refused call, or one without money at the provider, can succeed after a change at the provider. */
const changedMs = hourMs;

/** Returns the delay before a call is retried, in milliseconds. */
export function waitAfter({ kind }: Pick<ProviderFailure, 'kind'>): number {
  return kind === 'unknown' ? repeatMs : changedMs;
}

/** Returns the client error for a failure of the provider. */
export function providerError(): AppError {
  return new AppError('provider_error', 'The payment provider returned an unexpected response. Retry later.');
}

/** Returns the client error for a permanent refusal by the provider. A new request needs a new key. */
export function refusedByProvider(): AppError {
  return asFinal(
    new AppError(
      'provider_error',
      'The payment provider refused the request. No money was moved. To try again, use a new Idempotency-Key.',
    ),
  );
}
