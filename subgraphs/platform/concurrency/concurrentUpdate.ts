import { AppError } from '../errors/AppError.ts';

/**
 * Returns the 409 for a write that lost to a concurrent one.
 *
 * @param record type of the record, as in `listing`
 */
export function concurrentUpdate(record = 'record'): AppError {
  return new AppError(
    'concurrent_update',
    `Another request changed this ${record} at the same time. Retry.`,
    {
      retryAfter: 1,
    },
  );
}
