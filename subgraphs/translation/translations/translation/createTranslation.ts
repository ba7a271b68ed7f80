import { digestOf } from '../../../platform/content/digestOf.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { objectKeyOf } from '../../objects/ObjectRef.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import { type Decision, type Memberships, membersIn } from '../../records/memberships/memberships.ts';
import { firstRecord, newRecord } from '../../records/memberships/newRecord.ts';
import { type StoredTranslation, TranslationModel } from '../../records/model.ts';
import { isEditor, presentRecord } from '../../records/policy.ts';
import { objectOfRecord } from '../../records/TranslatableObject.ts';
import { fromRecord, type TranslationParent } from '../../records/TranslationParent.ts';
import { toProvenance } from '../../records/toProvenance.ts';
import { LanguageTakenError } from '../../relations/group/refuseLink.ts';
import type { CreateTranslationInput } from '../../translation.generated.ts';
import { type CreationPlan, planCreation } from './planCreation.ts';

/** Creates a translation. One record is both content and member, so the creation is atomic. */
export async function createTranslation(
  input: CreateTranslationInput,
  context: RequestContext,
): Promise<{ translation: TranslationParent }> {
  const id = context.attempt.newId('translation');
  const earlier = input.idempotencyKey == null ? null : await findStored(context, id);
  if (earlier) return { translation: fromRecord(earlier) };
  const plan = await planCreation(input, context);
  const { source, defaultCode } = plan;
  const creation = {
    sourceKey: source.key,
    sourceLanguage: plan.sourceLanguage,
    firstRecord: firstRecord(context, source, plan.sourceLanguage),
    created: createdRecord(context, plan, id),
    newGroupId: newId('group'),
  };
  const { records } = await changeMemberships(context, {
    records: ofObjects(source.key),
    queue: [source.key, source.record?.groupId ?? null],
    defaultCode,
    decide: (state) => decideCreation(state, creation),
  }).catch(async (error: unknown) => {
    throw error instanceof LanguageTakenError ? await translationExists(context, error) : error;
  });
  const { created } = creation;
  return { translation: fromRecord(records.get(created.objectKey) ?? created) };
}

/** Returns the translation that an earlier run has stored before it crashed. */
function findStored({ installationId }: RequestContext, id: string): Promise<StoredTranslation | null> {
  return reads(TranslationModel, installationId).findOne({ _id: id });
}

/** A translation that joins the group of its source. */
export interface Creation {
  readonly created: StoredTranslation;
  readonly sourceKey: string;
  readonly sourceLanguage: string;
  /** First record of a source that has none yet. */
  readonly firstRecord: StoredTranslation;
  readonly newGroupId: string;
}

/**
 * Decides the group of a new translation; a single source becomes the source of a new group.
 *
 * @throws LanguageTakenError if the group has a member in its language
 * @throws AppError `object_not_found` if the source was deleted
 */
export function decideCreation(state: Memberships, creation: Creation): Decision {
  const { created, sourceLanguage: language, firstRecord: first, newGroupId } = creation;
  const source = presentRecord(state, creation.sourceKey, 'object_not_found');
  const groupId = source?.groupId ?? null;
  const member = membersIn(state, groupId).find(({ language }) => language === created.language);
  if (member) throw new LanguageTakenError(groupId, created.language, member);
  if (groupId !== null) return { placements: [{ record: created, isNew: true, groupId }] };
  const origin = source ? { record: source } : { record: first, isNew: true };
  return {
    placements: [
      { ...origin, groupId: newGroupId, language, isSource: true },
      { record: created, isNew: true, groupId: newGroupId },
    ],
  };
}

function createdRecord(context: RequestContext, plan: CreationPlan, id: string): StoredTranslation {
  const by = context.viewer.id;
  const now = new Date(context.platform.now());
  const { source, language, status, texts, assigneeId } = plan;
  const { type } = source.ref;
  const live = status === 'published';
  return {
    ...newRecord({ id, by, now }),
    ...toProvenance({
      source,
      language: plan.sourceLanguage,
      digest: plan.sourceDigest,
      before: null,
      by,
      at: now,
    }),
    installationId: context.installationId,
    objectType: type,
    objectId: id,
    objectKey: objectKeyOf({ type, id }),
    subjectId: source.marketplaceObject.id,
    ownerId: source.owned.ownerId,
    language,
    origin: 'created',
    status,
    liveSince: live ? now : null,
    publishedAt: live ? now : null,
    assigneeId,
    contentDigest: digestOf(texts),
    fields: texts,
    publishedFields: live ? texts : null,
    history: [{ at: now, by, from: null, to: status, note: null }],
    ...firstOutbox(context, 'translation.changed'),
  };
}

/** Returns the 409 for an existing translation, which is named only to callers who may see it. */
async function translationExists(
  context: RequestContext,
  { groupId, language, member }: LanguageTakenError,
): Promise<AppError> {
  const object = 'owned' in member ? member : await objectOfRecord(context, member);
  const seen = isEditor(context.viewer, object);
  return new AppError('translation_exists', `A translation into "${language}" already exists.`, {
    conflict: { groupId, language, ...(seen ? { id: object.record?._id, object: { ...object.ref } } : {}) },
  });
}
