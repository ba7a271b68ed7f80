import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { timed } from '../../../platform/context/timed.ts';
import type { Suggestions, SuggestionTask } from '../../engine/suggestions/suggest.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAnalysisInput, SeoSuggestionsInput } from '../../seo.generated.ts';
import { analysisProblems } from '../analyze/analysisProblems.ts';
import { resolvePage } from '../analyze/resolvePage.ts';
import { engineThreads } from '../threads/EngineThreads.ts';
import { loadNeighbours } from './neighbours.ts';

/**
 * Suggests values for a page on a worker thread. The checks validate each one. Nothing is stored, no other service is
 * called, and no AI is involved.
 */
export async function seoSuggestions(
  { kinds, perKind = 3, exclude, ...rest }: SeoSuggestionsInput,
  context: RequestContext,
): Promise<Suggestions> {
  const sent: SeoAnalysisInput = rest;
  const [{ page }, ruleset] = await timed(context, 'content', () =>
    Promise.all([resolvePage(sent, context), loadRuleset(context)]),
  );
  const wanted = [...new Set(kinds)];
  const neighbours = await loadNeighbours(context, wanted, {
    self: sent.object ? toObjectRef(sent.object) : null,
    locale: page.locale ?? context.installation.locales[0] ?? null,
  });
  // The requested checks do not restrict the suggestions.
  const { checks: _, ...whole } = page;
  const task: SuggestionTask = {
    page: whole,
    ruleset,
    kinds: wanted,
    perKind,
    exclude: exclude ?? [],
    neighbours,
  };
  return timed(context, 'analysis', () => engineThreads().run('suggest', task));
}

/** Returns the errors of a request for suggestions that the SDL does not check. */
export function suggestionProblems(input: SeoSuggestionsInput): FieldProblem[] {
  const noKinds = { pointer: '#/kinds', code: 'required', detail: 'Must contain at least one kind.' };
  return [...(input.kinds.length === 0 ? [noKinds] : []), ...analysisProblems(input)];
}
