import type { AppError } from '../errors/AppError.ts';

const final = new WeakSet<AppError>();

/** Marks what a request is refused with as the answer of its idempotency key: repeated, it is not carried out again. */
export function asFinal(error: AppError): AppError {
  final.add(error);
  return error;
}

/** Whether it was marked so. */
export function isFinal(error: AppError): boolean {
  return final.has(error);
}
