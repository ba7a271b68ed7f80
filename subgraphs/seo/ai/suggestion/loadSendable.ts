import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { resolvePage } from '../../analysis/analyze/resolvePage.ts';
import { analyzePage } from '../../analysis/threads/analyzePage.ts';
import type { AnalysisInput } from '../../engine/contract.ts';
import { readDocument } from '../../engine/html/readDocument.ts';
import { findTextVersion } from '../../pages/object/findText.ts';
import { loadObject, localeOf } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAiSuggestionsInput } from '../../seo.generated.ts';

const fewestWords = 50;

/** A page that may be sent, once it is redacted. */
export interface SendablePage {
  readonly page: AnalysisInput;
  /** Addresses of its images, in order. */
  readonly images: readonly string[];
}

/**
 * Checks that the caller may send this object's text: it is accessible to the caller, and not another user's draft.
 * Returns the function that loads the page after the gates.
 *
 * @throws AppError `not_found`, `ownership_required`
 */
export async function loadSendable(
  input: SeoAiSuggestionsInput,
  context: RequestContext,
): Promise<() => Promise<SendablePage>> {
  if (input.object) {
    const object = toObjectRef(input.object);
    const owned = await loadObject(context, object, { details: true });
    const text = await findTextVersion(context, { object, owned }, localeOf(context, owned, input.locale));
    const isDraft = owned.content?.visibility === 'PRIVATE' || text?.isDraft;
    if (isDraft && !owned.viewerCanEdit) throw ownershipRequired();
  }
  return async () => {
    const { kinds: _, count: _count, tone: _tone, instructions: _wishes, ...rest } = input;
    const { dryRun: _dryRun, idempotencyKey: _key, ...analysis } = rest;
    const { page } = await resolvePage(analysis, context);
    await assertLongEnough(context, page);
    const { images } = readDocument(page.content ?? '');
    return { page, images: [...images, ...(page.images ?? [])].map(({ src }) => src) };
  };
}

async function assertLongEnough(context: RequestContext, page: AnalysisInput): Promise<void> {
  const ruleset = await loadRuleset(context);
  const { metrics } = await analyzePage({ ...page, checks: ['content.length'] }, ruleset);
  if (metrics.words >= fewestWords) return;
  throw new AppError(
    'seo_ai_content_too_short',
    `The text has ${metrics.words} words. AI suggestions need at least ${fewestWords}.`,
    { words: metrics.words, least: fewestWords },
  );
}
