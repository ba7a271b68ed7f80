import { AppError } from '../errors/AppError.ts';

/**
 * 409 for a write that another one was faster than.
 *
 * @param record what was changed, in a word, as in `listing`
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
