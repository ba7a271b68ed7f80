import { createHash } from 'node:crypto';
import { analyzePage } from '../../analysis/threads/analyzePage.ts';
import type { AnalysisInput, CheckResult } from '../../engine/contract.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import type { SeoAiDiscardReason, SeoAiSuggestionKind } from '../../seo.generated.ts';
import type { RawAnswer, SuggestionRequest } from './composeQuestion.ts';
import { readSuggestion } from './readSuggestion.ts';
import { type AiValue, suggestionKinds } from './suggestionKinds.ts';

/** Accepted suggestion, with the verdicts of its checks. */
export interface ValidSuggestion {
  readonly id: string;
  readonly kind: SeoAiSuggestionKind;
  readonly value: AiValue;
  readonly validation: readonly CheckResult[];
}

/** Result of a model's response. */
export interface ValidatedAnswer {
  readonly items: readonly ValidSuggestion[];
  readonly discarded: readonly { readonly kind: SeoAiSuggestionKind; readonly reason: SeoAiDiscardReason }[];
}

/**
 * Validates the answer of a model, and runs the deterministic checks on each suggestion. Suggestions beyond the
 * requested ones are ignored.
 *
 * @param images URLs of the page's images
 */
export async function validateAnswer(
  answer: RawAnswer,
  { kinds, count }: SuggestionRequest,
  { page, images, ruleset }: { page: AnalysisInput; images: readonly string[]; ruleset: Ruleset },
): Promise<ValidatedAnswer> {
  const items: ValidSuggestion[] = [];
  const discarded: { kind: SeoAiSuggestionKind; reason: SeoAiDiscardReason }[] = [];
  for (const kind of kinds) {
    for (const raw of (answer[kind] ?? []).slice(0, count)) {
      const read = readSuggestion(raw, suggestionKinds[kind], images);
      const validated = 'value' in read ? await validateSuggestion(kind, read.value, page, ruleset) : read;
      if ('reason' in validated) discarded.push({ kind, reason: validated.reason });
      else if (items.some(({ id }) => id === validated.id)) discarded.push({ kind, reason: 'duplicate' });
      else items.push(validated);
    }
  }
  return { items, discarded };
}

async function validateSuggestion(
  kind: SeoAiSuggestionKind,
  value: AiValue,
  page: AnalysisInput,
  ruleset: Ruleset,
): Promise<ValidSuggestion | { reason: SeoAiDiscardReason }> {
  const { patch, checks, mustNotFail } = suggestionKinds[kind];
  const { checks: validation } = await analyzePage({ ...patch(value, page), checks }, ruleset);
  if (validation.some(({ id, rating }) => id === mustNotFail && rating === 'bad'))
    return { reason: 'too_long' };
  const hash = createHash('sha256')
    .update(JSON.stringify([kind, value]))
    .digest('hex');
  return { id: `ai_${hash.slice(0, 24)}`, kind, value, validation };
}
