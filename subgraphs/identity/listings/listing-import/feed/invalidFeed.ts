import { AppError } from '../../../../platform/errors/AppError.ts';

/** 422 for a feed that cannot be read, as a whole: none of its rows is looked at. */
export function invalidFeed(detail: string, pointer = '#'): AppError {
  return new AppError('validation_failed', detail, {
    errors: [{ pointer, code: 'validation_failed', detail }],
  });
}
