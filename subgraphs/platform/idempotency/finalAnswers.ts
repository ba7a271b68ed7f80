import type { AppError } from '../errors/AppError.ts';

const final = new WeakSet<AppError>();

/** Marks a refusal as the response of the idempotency key: a repetition is not executed again. */
export function asFinal(error: AppError): AppError {
  final.add(error);
  return error;
}

/** Whether it was marked so. */
export function isFinal(error: AppError): boolean {
  return final.has(error);
}
