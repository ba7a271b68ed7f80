import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { type AnalysisPool, openAnalysisPool } from './AnalysisPool.ts';
import type { Exceeded, Limited } from './analyzeSafely.ts';

let pool: AnalysisPool | undefined;

/** The threads of this process; they start with the first task and do not keep the process alive. */
export function sharedPool(): AnalysisPool {
  pool ??= openAnalysisPool();
  return pool;
}

/**
 * What the engine gave.
 *
 * @throws AppError `payload_too_large`, `validation_failed` where it met a limit instead
 */
export function unwrap<T extends object>(outcome: Limited<T>): T {
  if (!isExceeded(outcome)) return outcome;
  const { code, subject, limit } = outcome.exceeded;
  const [member = 'content', counted = 'size'] = subject.split('.');
  const detail = `"${member}" exceeds the limit of ${limit} ${counted}.`;
  if (code === 'payload_too_large') throw new AppError(code, detail);
  throw invalidFields([{ pointer: `#/${member}`, code: 'too_large', detail }]);
}

function isExceeded(outcome: object): outcome is Exceeded {
  return 'exceeded' in outcome;
}
