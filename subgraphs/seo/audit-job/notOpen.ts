import type { ErrorCode } from '../../../schema/errorCodes.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { StoredAuditJob } from './model.ts';

/** Why nothing can be done with a job that has ended. */
export function notOpen({ state }: StoredAuditJob): AppError {
  const code: ErrorCode =
    state === 'cancelled'
      ? 'seo_job_cancelled'
      : state === 'expired'
        ? 'seo_job_expired'
        : 'seo_job_finished';
  const detail = {
    seo_job_cancelled: 'The audit job was cancelled; a retry resumes it.',
    seo_job_expired: 'The audit job has expired; a retry resumes it.',
    seo_job_finished: 'The audit job is finished.',
  }[code];
  return new AppError(code, detail);
}
