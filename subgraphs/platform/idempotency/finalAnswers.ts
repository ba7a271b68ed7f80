import type { AppError } from '../errors/AppError.ts';

const final = new WeakSet<AppError>();

/** Marks a refusal as the final response of the idempotency key: a retry is not executed. */
export function asFinal(error: AppError): AppError {
  final.add(error);
  return error;
}

/** Returns whether a refusal is marked as final. */
export function isFinal(error: AppError): boolean {
  return final.has(error);
}
