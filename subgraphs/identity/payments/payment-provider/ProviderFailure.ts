import { AppError } from '../../../platform/errors/AppError.ts';
import { asFinal } from '../../../platform/idempotency/finalAnswers.ts';
import { hourMs } from '../../../platform/time/durations.ts';

/**
 * What is known about an order that went wrong.
 *
 * - `unknown`: it may have been carried out (no answer, an answer cut short, an error of the provider's own), or nothing is
 *   wrong with the order (a key to the API that the provider does not accept). It is asked for again.
 * - `later`: it was not, because the provider's account lacks the money; the same order succeeds once it has it.
 * - `refused`: it was not, and the same order will be refused again.
 * - `missing`: the provider has no such object.
 */
export type ProviderFailureKind = 'unknown' | 'later' | 'refused' | 'missing';

/** Code of a refund that is refused because the payer's bank disputes the payment, or has charged it back. */
export const disputedCode = 'charge_disputed';

/** Failure of a call to a payment provider. The message is for logs: it may quote the provider. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** As the provider calls it. */
  readonly code: string;
  /** Whether the same order will never be carried out. */
  readonly isFinal: boolean;
  /** Whether the provider gives the same answer to the same idempotency key, so that a repetition needs another one. */
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
    this.isFinal = kind === 'refused' || kind === 'missing';
    this.isKept = isKept;
  }
}

/** An order that may have been carried out is repeated soon. */
const repeatMs = 30_000;
/** A refused call, or one without money at the provider, can succeed after a change at the provider. */
const changedMs = hourMs;

/** Delay before a call is repeated. */
export function waitAfter({ kind }: Pick<ProviderFailure, 'kind'>): number {
  return kind === 'unknown' ? repeatMs : changedMs;
}

/** Error for clients when the provider fails. */
export function providerError(): AppError {
  return new AppError('provider_error', 'The payment provider returned an unexpected response. Retry later.');
}

/** Error for clients when the provider will never carry out an order: a new order needs a new key. */
export function refusedByProvider(): AppError {
  return asFinal(
    new AppError(
      'provider_error',
      'The payment provider refused the request. No money was moved. To try again, use a new Idempotency-Key.',
    ),
  );
}
