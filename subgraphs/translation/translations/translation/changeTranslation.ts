import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { managesObject } from '../../records/checkInput.ts';
import { findSourceOf } from '../../records/findSourceOf.ts';
import { selectTranslation, type TranslationSelector } from '../../records/findTranslation.ts';
import { flagDerived } from '../../records/flagDerived.ts';
import { forgetTranslations } from '../../records/loaders.ts';
import { type StoredTranslation, TranslationModel } from '../../records/model.ts';
import { assertReaches } from '../../records/policy.ts';
import type { TransitionActor } from '../../records/statusMachine.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { fromRecord, type TranslationParent } from '../../records/TranslationParent.ts';
import { updateRecord } from '../../records/updateRecord.ts';

/**
 * Maximum number of attempts: one concurrent change is tolerated. A stated version is refused when it is compared
 * again.
 */
const mostAttempts = 2;

/** Data from which a change is decided. */
export interface ChangeContext {
  readonly record: StoredTranslation;
  readonly actor: TransitionActor;
  /** Source of the text; null if it is not a translation, or the source is deleted. */
  readonly source: TranslatableObject | null;
  readonly now: Date;
}

/** Decides the change of one record: returns the members to set, or null if nothing changes; throws refusals. */
export type DecideChange = (subject: ChangeContext) => Partial<StoredTranslation> | null;

/**
 * Changes one translation. The write is conditional on the version and status on which the decision is based, so two
 * changes never mix.
 *
 * @throws AppError `translation_not_found`, `ownership_required`, `concurrent_update`, and errors of the decision
 */
export async function changeTranslation(
  context: RequestContext,
  selector: TranslationSelector,
  decide: DecideChange,
): Promise<TranslationParent> {
  const object = await selectTranslation(context, selector);
  assertReaches(context, 'translations:contribute', object, 'translation_not_found');
  const id = object.record?._id ?? '';
  const actor = { id: context.viewer.id, manages: managesObject(context, object) };
  const translations = reads(TranslationModel, context.installationId);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const record = await translations.findOne({ _id: id });
    if (!record) break;
    const now = new Date(context.platform.now());
    const source = await findSourceOf(context, record);
    const set = decide({ record, actor, source, now });
    if (set === null) return fromRecord(record);
    const { version, status } = record;
    const written = await updateRecord(context, { _id: id, version, status }, { set });
    forgetTranslations(context);
    if (!written) continue;
    await flagIfSource(context, record, written);
    return fromRecord(written);
  }
  throw concurrentUpdate('translation');
}

/** Updates the outdated flags of other translations that were made from it. */
async function flagIfSource(
  { installationId, platform }: RequestContext,
  before: StoredTranslation,
  { objectKey, contentDigest, updatedAt: at }: StoredTranslation,
): Promise<void> {
  if (contentDigest === null || contentDigest.digest === before.contentDigest?.digest) return;
  await flagDerived({ installationId, platform, objectKey, digest: contentDigest.digest, at });
}
