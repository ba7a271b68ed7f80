import type { FieldProblem } from '../../../schema/Problem.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { timed } from '../../platform/context/timed.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { assertAnalysisInput } from '../analysis/assertAnalysisInput.ts';
import { countProblems, textProblems } from '../analysis/checkTexts.ts';
import { engineThreads } from '../analysis/EngineThreads.ts';
import { resolvePage } from '../analysis/resolvePage.ts';
import { toObjectRef } from '../object/ObjectRef.ts';
import { loadRuleset } from '../ruleset/rulesets.ts';
import type { SeoAnalysisInput, SeoSuggestionsInput } from '../seo.generated.ts';
import { loadNeighbours } from './neighbours.ts';
import type { Suggestions, SuggestionTask } from './suggest.ts';

const mostPerKind = 5;
const mostExcluded = 250;

/**
 * Suggests values for a page, on a thread: every one is judged by the checks again. Nothing is stored, nobody outside
 * is asked, and no AI is involved.
 */
export async function seoSuggestions(
  context: RequestContext,
  { kinds, perKind = 3, exclude, ...rest }: SeoSuggestionsInput,
): Promise<Suggestions> {
  const sent: SeoAnalysisInput = rest;
  assertWishes(kinds, perKind, exclude ?? []);
  assertAnalysisInput(sent);
  const [{ page }, ruleset] = await timed(context, 'content', () =>
    Promise.all([resolvePage(context, sent), loadRuleset(context)]),
  );
  const wanted = [...new Set(kinds)];
  const neighbours = await loadNeighbours(context, wanted, {
    self: sent.object ? toObjectRef(sent.object) : null,
    locale: page.locale ?? context.installation.locales[0] ?? null,
  });
  // Which checks are asked for says nothing about what may be suggested.
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

function assertWishes(kinds: readonly string[], perKind: number, exclude: readonly string[]): void {
  const problems: FieldProblem[] = [
    ...(kinds.length === 0
      ? [{ pointer: '#/kinds', code: 'required', detail: 'At least one kind is wanted.' }]
      : []),
    ...(perKind < 1 || perKind > mostPerKind
      ? [{ pointer: '#/perKind', code: 'invalid', detail: `1 to ${mostPerKind} of a kind are suggested.` }]
      : []),
    ...countProblems('#/exclude', exclude, mostExcluded),
    ...exclude.flatMap((id, index) => textProblems(`#/exclude/${index}`, id, 64)),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}
