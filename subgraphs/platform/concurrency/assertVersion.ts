import { AppError } from '../errors/AppError.ts';

/**
 * Checks the precondition of a write (RFC 9110 `If-Match`). Without an expected version, the last write wins.
 *
 * @throws AppError `precondition_failed`
 */
export function assertVersion(actual: number, expected: number | null | undefined): void {
  if (expected === null || expected === undefined || expected === actual) return;
  throw new AppError(
    'precondition_failed',
    `The record is at version ${actual}, not ${expected}. Read it again and repeat the change.`,
  );
}
