import type { ErrorCode } from '../../../../schema/errorCodes.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { AuditJobHead } from './model.ts';

/** Returns the error for an ended job, which accepts neither a batch nor a cancellation. */
export function notOpen({ state }: AuditJobHead): AppError {
  const code: ErrorCode =
    state === 'cancelled'
      ? 'seo_job_cancelled'
      : state === 'expired'
        ? 'seo_job_expired'
        : 'seo_job_finished';
  const detail = {
    seo_job_cancelled: 'The audit job was cancelled. Retry the job to resume it.',
    seo_job_expired: 'The audit job has expired. Retry the job to resume it.',
    seo_job_finished: 'The audit job is finished.',
  }[code];
  return new AppError(code, detail);
}

/** Returns the error for a caller with an unfinished job. */
export function alreadyActive(jobId: string): AppError {
  return new AppError(
    'seo_job_already_active',
    'You already have an unfinished audit job. Wait for it to finish, or cancel it.',
    { jobId },
  );
}

/** Returns the error for a job that ended in another state or too long ago, or has no items for this retry. */
export function nothingToRetry(): AppError {
  return new AppError('seo_nothing_to_retry', 'The job has no items that this retry could process.');
}

/**
 * Returns the error for ids of unknown items.
 *
 * @param indexes of the unknown ids in the request
 */
export function notInJob(indexes: readonly number[]): AppError {
  return new AppError('seo_item_not_in_job', 'The job does not have all of these items.', {
    errors: indexes.slice(0, 100).map((index) => ({
      pointer: `#/itemIds/${index}`,
      code: 'seo_item_not_in_job',
      detail: 'The job does not have this item.',
    })),
  });
}
