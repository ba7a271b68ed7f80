import { AppError } from '../../platform/errors/AppError.ts';
import { asFinal } from '../../platform/idempotency/finalAnswers.ts';

/**
 * What is known about an order that went wrong.
 *
 * - `unknown`: it may have been carried out (no answer, an answer cut short, an error of the provider's own). It is asked
 *   for again, under the same key.
 * - `refused`: it was not, and the same order will be refused again.
 * - `missing`: the provider has no such object.
 */
export type ProviderFailureKind = 'unknown' | 'refused' | 'missing';

/** A provider did not do what it was asked for. Its message is for logs: it may quote what the provider said. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** As the provider calls it. */
  readonly code: string;
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
    this.isKept = isKept;
  }
}

/** What a client is told of a failure of the provider: that there was one. */
export function providerError(): AppError {
  return new AppError(
    'provider_error',
    'The payment provider did not answer as it should. Repeat the request later.',
  );
}

/** What a client is told of an order that the provider will never carry out: a new one needs a key of its own. */
export function refusedByProvider(): AppError {
  return asFinal(
    new AppError(
      'provider_error',
      'The payment provider refused this; nothing was moved. To try again, use a new Idempotency-Key.',
    ),
  );
}
