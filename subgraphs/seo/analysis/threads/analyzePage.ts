import type { Analysis, AnalysisInput } from '../../engine/contract.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { engineThreads, resultOf } from './EngineThreads.ts';
import { analyze } from './engineWorker.ts';

/**
 * Maximum number of characters that are analyzed on the event loop. Measured on 2 cores at 2.5 GHz: a round trip to a
 * thread costs 0.25 to 0.35 ms (4 to 9 ms if both cores are busy). 300 words take 0.9 ms here; 4,000 characters, about
 * 650 words, take 1.5 ms, and 5 ms with the maximum of keyphrases and synonyms. A longer page would delay other
 * requests by more than the round trip costs.
 */
const inlineCharacters = 4000;

/**
 * Runs the engine on a page: a short one here, a long one on a thread.
 *
 * @param ruleset the installation's; see `loadRuleset`
 * @param runLimitMs longest run on a thread
 * @throws AppError `payload_too_large`, `seo_analysis_timeout`, `unavailable`
 */
export async function analyzePage(
  page: AnalysisInput,
  ruleset: Ruleset,
  runLimitMs?: number,
): Promise<Analysis> {
  const task = { page, ruleset };
  if (charactersOf(page) <= inlineCharacters) return resultOf(analyze(task));
  return engineThreads().run('analyze', task, runLimitMs);
}

function charactersOf({ content, images }: AnalysisInput): number {
  const ofImages = (images ?? []).map(({ src, alt }) => src.length + (alt?.length ?? 0));
  return ofImages.reduce((total, characters) => total + characters, content?.length ?? 0);
}
