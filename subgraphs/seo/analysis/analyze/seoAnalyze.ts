import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { timed } from '../../../platform/context/timed.ts';
import type { Analysis } from '../../engine/contract.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAnalysisInput } from '../../seo.generated.ts';
import { analyzePage } from '../threads/analyzePage.ts';
import { type ResolvedPage, resolvePage } from './resolvePage.ts';

/** An analysis of a draft. */
export interface SeoDraftAnalysisParent extends Omit<Analysis, 'source'> {
  source: { content: ResolvedPage['origin']; words: number };
}

/**
 * Analyzes a page and stores nothing. The result has no time and no id, so that equal requests have equal responses.
 */
export async function seoAnalyze(
  input: SeoAnalysisInput,
  context: RequestContext,
): Promise<SeoDraftAnalysisParent> {
  const [{ page, origin }, ruleset] = await timed(context, 'content', () =>
    Promise.all([resolvePage(input, context), loadRuleset(context)]),
  );
  const analysis = await timed(context, 'analysis', () => analyzePage(page, ruleset));
  return { ...analysis, source: { content: origin, words: analysis.source.words } };
}
