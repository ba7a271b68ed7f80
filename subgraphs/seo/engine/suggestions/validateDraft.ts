import { analyze } from '../analyze.ts';
import type { Analysis, AnalysisInput, CheckResult, Rating } from '../contract.ts';
import type { ContentEdit, Draft, Source } from './Draft.ts';

/** Remaining number of analyses of the whole body. */
export interface ValidationBudget {
  left: number;
}

/** Words that may be read again for all suggestions of a request; a short page is judged as often as is useful. */
const mostWords = 120_000;
const mostAnalyses = 60;
const orderOf: Partial<Record<Rating, number>> = { bad: 0, ok: 1, good: 2 };
/** Checks that read the body; a draft with none of them is validated without it. */
const readsContent =
  /^(?:content|headings|images|links|subheadings)\.|^keyphrase\.(?!in_seo_title|in_meta_description|in_slug|length)/;

/** Returns the budget of a page: at least two, so that even the longest one gets suggestions. */
export function validationBudget(words: number): ValidationBudget {
  return { left: Math.min(mostAnalyses, Math.max(2, Math.floor(mostWords / Math.max(1, words)))) };
}

/**
 * Returns the checks of a draft on the page with the draft applied. Null if a decisive check gets worse, or becomes bad
 * where it did not apply before, or if the page is too long for another analysis.
 */
export function validateDraft(
  { input, ruleset }: Source,
  before: Pick<Analysis, 'checks' | 'language'>,
  draft: Draft,
  budget: ValidationBudget,
): CheckResult[] | null {
  const needsContent = draft.patch.edits !== undefined || draft.basis.some((id) => readsContent.test(id));
  if (needsContent) {
    if (budget.left === 0) return null;
    budget.left -= 1;
  }
  const { content, ...rest } = input;
  const page: AnalysisInput = {
    ...rest,
    ...(needsContent && { content: applyEdits(content ?? '', draft.patch.edits ?? []) }),
    ...draft.patch.members,
    // Without the body its language could not be determined.
    locale: before.language.used,
    relatedKeyphrases: [],
    checks: draft.basis,
  };
  const { checks } = analyze(page, ruleset);
  const now = new Map(before.checks.map(({ id, rating }) => [id, orderOf[rating]]));
  const decisive: readonly string[] = draft.decisive ?? draft.basis;
  const isWorse = checks.some(
    ({ id, rating }) => decisive.includes(id) && (orderOf[rating] ?? 2) < (now.get(id) ?? 1),
  );
  return isWorse ? null : checks;
}

/** Applies edits from the end, so that earlier positions stay valid. */
export function applyEdits(html: string, edits: readonly ContentEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end),
      html,
    );
}
