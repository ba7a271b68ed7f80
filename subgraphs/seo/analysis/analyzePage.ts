import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import type { Analysis, AnalysisInput } from '../engine/contract.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import { type AnalysisLimits, type AnalysisPool, openAnalysisPool } from './AnalysisPool.ts';
import { type AnalysisOutcome, analyzeSafely } from './analyzeSafely.ts';

/**
 * Up to here a page is analysed on the event loop. Measured on 2 cores at 2.5 GHz: a round trip to a thread costs 0.25
 * to 0.35 ms (4 to 9 ms when both cores are busy), 300 words take 0.9 ms here, and 4,000 characters, about 650 words,
 * 1.5 ms; with every keyphrase and synonym that is accepted, 5 ms. A longer page would hold up everybody else for
 * longer than its own detour costs.
 */
const inlineCharacters = 4000;

let pool: AnalysisPool | undefined;

/**
 * Runs the engine on a page: a short one here, a long one on a thread. The threads start with the first long text and
 * do not keep the process alive.
 *
 * @param ruleset the installation's; see `loadRuleset`
 * @throws AppError `payload_too_large`, `validation_failed`, `seo_analysis_timeout`, `unavailable`
 */
export async function analyzePage(
  page: AnalysisInput,
  ruleset: Ruleset,
  limits?: AnalysisLimits,
): Promise<Analysis> {
  const task = { page, ruleset };
  if (charactersOf(page) <= inlineCharacters) return unwrap(analyzeSafely(task));
  pool ??= openAnalysisPool();
  return unwrap(await pool.run(task, limits));
}

function charactersOf({ content, images }: AnalysisInput): number {
  const ofImages = (images ?? []).map(({ src, alt }) => src.length + (alt?.length ?? 0));
  return ofImages.reduce((total, characters) => total + characters, content?.length ?? 0);
}

function unwrap(outcome: AnalysisOutcome): Analysis {
  if ('analysis' in outcome) return outcome.analysis;
  const { code, subject, limit } = outcome.exceeded;
  const [member = 'content', counted = 'size'] = subject.split('.');
  const detail = `"${member}" exceeds the limit of ${limit} ${counted}.`;
  if (code === 'payload_too_large') throw new AppError(code, detail);
  throw invalidFields([{ pointer: `#/${member}`, code: 'too_large', detail }]);
}
