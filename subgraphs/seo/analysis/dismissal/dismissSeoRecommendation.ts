import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import type { CheckResult } from '../../engine/contract.ts';
import { causeOfCheck } from '../../engine/recommendations/causes.ts';
import { requireText } from '../../pages/object/findText.ts';
import { loadWritable, localeOf } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { emptyFields } from '../../pages/record/model.ts';
import { findRecord, type RecordKey, toFilter } from '../../pages/record/records.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import { compareWithSite } from '../../pages/site-index/compareWithSite.ts';
import type { DismissSeoRecommendationInput } from '../../seo.generated.ts';
import { savedPage } from '../analyze/savedPage.ts';
import { findCurrentSnapshot } from '../snapshot/findCurrentSnapshot.ts';
import { analyzePage } from '../threads/analyzePage.ts';
import { digestOf, dismissalsOf } from './dismissals.ts';

/** Dismissal of a finding. */
export interface Dismissal extends RecordKey {
  checkId: string;
  dismissed: boolean;
}

/**
 * Dismisses a finding of a check in the saved text, or reverts the dismissal. It applies to this finding only: when the
 * check's value changes, it is recommended again. The operation is idempotent.
 *
 * @throws AppError `validation_failed`, `not_found`, `ownership_required`, `dealer_not_active`,
 *   `seo_no_content_in_language`
 */
export async function dismissSeoRecommendation(
  input: DismissSeoRecommendationInput,
  context: RequestContext,
): Promise<{ dismissal: Dismissal }> {
  const { checkId, dismissed } = input;
  if (!causeOfCheck.has(checkId)) {
    throw invalidFields([{ pointer: '#/checkId', code: 'invalid', detail: 'No check has this id.' }]);
  }
  const object = toObjectRef(input.object);
  const owned = await loadWritable(context, object, { details: true });
  const key: RecordKey = { object, locale: localeOf(context, owned, input.locale) };
  const dismissals = dismissalsOf(context);
  if (dismissed) {
    const check = await findFinding(context, key, checkId);
    const _id = idOf(key, checkId);
    await dismissals.upsertEach([
      {
        _id,
        update: {
          $set: {
            ...toFilter(key),
            checkId,
            findingDigest: digestOf(check),
            createdAt: new Date(context.platform.now()),
            createdBy: context.viewer.id,
          },
        },
      },
    ]);
  } else {
    await dismissals.deleteMany({ ...toFilter(key), checkId });
  }
  return { dismissal: { ...key, checkId, dismissed } };
}

/** Returns the result of the check for the saved text. */
async function findFinding(context: RequestContext, key: RecordKey, checkId: string): Promise<CheckResult> {
  const { object, locale } = key;
  const owned = await loadWritable(context, object, { details: true });
  const text = await requireText(context, { object, owned }, locale, { details: true });
  const [record, ruleset] = await Promise.all([findRecord(context, key), loadRuleset(context)]);
  const saved = savedPage(object.type, locale, text.content, record ?? emptyFields);
  const { holder } = text;
  const analysis =
    (await findCurrentSnapshot(context, record, { ...text, ruleset })) ??
    (await analyzePage(await compareWithSite(context, { ...key, holder }, saved), ruleset));
  const check = analysis.checks.find(({ id }) => id === checkId);
  if (!check) throw new Error(`The analysis has no check ${checkId}.`);
  return check;
}

/** Returns the id, so that each check of an object has one record, also with concurrent writers. */
function idOf({ object, locale }: RecordKey, checkId: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([object.id, locale, checkId]))
    .digest('base64url');
  return `dismissal:${name}`;
}
