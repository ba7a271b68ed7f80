import type { CreateTranslationInput } from '../../../schema/translation.generated.ts';
import { digestOf } from '../../platform/content/digestOf.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { firstOutbox } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { forgetMemberships } from '../relation/forgetMemberships.ts';
import { insertGroup, raiseGroups } from '../relation/groupWrites.ts';
import { inRelationTransaction } from '../relation/inRelationTransaction.ts';
import {
  type MembershipWrite,
  newRecord,
  placeObject,
  readByKeys,
  readMembers,
} from '../relation/membershipWrites.ts';
import { ofRecord } from '../translatable/LocatedObject.ts';
import { objectKeyOf } from '../translatable/ObjectRef.ts';
import { isEditor } from '../translatable/policy.ts';
import { type StoredTranslation, slotKeyOf, type TranslationHead, TranslationModel } from './model.ts';
import { type CreationPlan, planCreation } from './planCreation.ts';
import { fromRecord, type TranslationParent } from './TranslationParent.ts';
import { toProvenance } from './toProvenance.ts';

/** Creates a translation: one record that is content and member at once, so nothing half-made can be left behind. */
export async function createTranslation(
  context: RequestContext,
  input: CreateTranslationInput,
): Promise<{ translation: TranslationParent }> {
  const id = context.attempt.newId('translation');
  const earlier = input.idempotencyKey == null ? null : await findStored(context, id);
  if (earlier) return { translation: fromRecord(earlier) };
  const plan = await planCreation(context, input);
  const now = new Date(context.platform.now());
  const record = await inRelationTransaction((session) => create({ context, session, now }, plan, id));
  forgetMemberships(context);
  return { translation: fromRecord(record) };
}

/** What an execution that died before it could answer has written already. */
function findStored({ installationId }: RequestContext, id: string): Promise<StoredTranslation | null> {
  return scoped(TranslationModel, installationId).findOne({ _id: id });
}

async function create(write: MembershipWrite, plan: CreationPlan, id: string): Promise<StoredTranslation> {
  const { source, sourceLanguage, language } = plan;
  const sourceRecord = (await readByKeys(write, [source.key])).get(source.key) ?? null;
  const presentId = sourceRecord?.groupId ?? null;
  const members = presentId === null ? [] : await readMembers(write, presentId);
  const taken = members.find((member) => member.language === language);
  if (taken) throw await translationExists(write.context, taken);
  const objectKey = objectKeyOf({ type: source.ref.type, id });
  if (presentId !== null) {
    await raiseGroups(write, [{ id: presentId, concerned: [...members, { objectKey }] }]);
    return insertCreated(write, plan, id, presentId);
  }
  const { _id: groupId } = await insertGroup(write, source.ref.type, [source.key, objectKey]);
  await placeObject(write, source, sourceRecord, { groupId, language: sourceLanguage, isSource: true });
  return insertCreated(write, plan, id, groupId);
}

function insertCreated(
  { context, session, now }: MembershipWrite,
  plan: CreationPlan,
  id: string,
  groupId: string,
): Promise<StoredTranslation> {
  const by = context.viewer.id;
  const { source, language, status, texts, assigneeId } = plan;
  const live = status === 'published';
  return scoped(TranslationModel, context.installationId).insert(
    {
      ...newRecord({ id, by, now }),
      ...toProvenance({
        source,
        language: plan.sourceLanguage,
        digest: plan.sourceDigest,
        before: null,
        by,
        at: now,
      }),
      objectType: source.ref.type,
      objectId: id,
      objectKey: `${source.ref.type}:${id}`,
      subjectId: source.subject.id,
      ownerId: source.owned.ownerId,
      language,
      groupId,
      slotKey: slotKeyOf(id, groupId, language),
      isSource: false,
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
    },
    { session },
  );
}

/** 409; the present translation is named only to those who may see it. */
async function translationExists(context: RequestContext, taken: TranslationHead): Promise<AppError> {
  const seen = isEditor(context.viewer, await ofRecord(context, taken));
  const { groupId, language, objectType: type, objectId: id } = taken;
  return new AppError('translation_exists', `There is a translation into "${language}" already.`, {
    conflict: { groupId, language, ...(seen ? { id: taken._id, object: { type, id } } : {}) },
  });
}
