import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import type { Analysis, AnalysisInput } from '../engine/contract.ts';
import { type AnalysisPool, openAnalysisPool } from './AnalysisPool.ts';
import { type AnalysisOutcome, analyzeSafely } from './analyzeSafely.ts';

const inlineCharacters = 4000;

let pool: AnalysisPool | undefined;

/**
 * Runs the engine on a page: a short one here, a long one on a thread. The threads start with the first long text and
 * do not keep the process alive.
 *
 * @throws AppError `payload_too_large`, `validation_failed`, `seo_analysis_timeout`, `unavailable`
 */
export async function analyzePage(page: AnalysisInput): Promise<Analysis> {
  if ((page.content?.length ?? 0) <= inlineCharacters) return unwrap(analyzeSafely(page));
  pool ??= openAnalysisPool();
  return unwrap(await pool.run(page));
}

function unwrap(outcome: AnalysisOutcome): Analysis {
  if ('analysis' in outcome) return outcome.analysis;
  const { code, subject, limit } = outcome.exceeded;
  const [member = 'content', counted = 'size'] = subject.split('.');
  const detail = `"${member}" exceeds the limit of ${limit} ${counted}.`;
  if (code === 'payload_too_large') throw new AppError(code, detail);
  throw invalidFields([{ pointer: `#/${member}`, code: 'too_large', detail }]);
}
