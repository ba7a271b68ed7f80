import type { UnlinkRelationInput } from '../../../schema/translation.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../language/languageSettings.ts';
import { nameLanguage } from '../resolution/nameLanguage.ts';
import { fromEnumName } from '../translatable/enumNames.ts';
import { findObject, type LocatedObject, ofRecord } from '../translatable/LocatedObject.ts';
import { assertReaches } from '../translatable/policy.ts';
import { loadMembers } from '../translation/loaders.ts';
import type { TranslationHead } from '../translation/model.ts';
import { fromRecord, type TranslationParent } from '../translation/TranslationParent.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { bumpGroups } from './groupWrites.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { leaveGroup } from './leaveGroup.ts';
import { findOpenGroup, loadGroup } from './loadGroup.ts';
import { type MembershipWrite, placeRecord, readByKeys, readMembers } from './membershipWrites.ts';
import { assertReachesSource } from './policy.ts';
import { type RelationGroupParent, withMembers } from './RelationGroupParent.ts';
import { relationNotFound } from './refuseLink.ts';

/** Ends the membership of an object; the object, its texts and its status stay as they are. */
export async function unlinkRelation(
  context: RequestContext,
  input: UnlinkRelationInput,
): Promise<{ removed: TranslationParent; group: RelationGroupParent | null }> {
  const object = await findMember(context, input);
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  const groupId = object.record?.groupId ?? null;
  if (groupId === null) throw relationNotFound();
  await assertReachesSource(context, await loadMembers(context, groupId));
  const { default: standard } = await loadLanguageSettings(context);
  const now = new Date(context.platform.now());
  const { removed, goesOn } = await inRelationTransaction((session) =>
    unlink({ context, session, now }, object, input.expectedVersion ?? null, standard.code),
  );
  forgetMemberships(context);
  const group = goesOn === null ? null : await loadGroup(context, goesOn);
  return { removed: fromRecord(removed), group: group && (await withMembers(context, group)) };
}

async function unlink(
  write: MembershipWrite,
  { key }: LocatedObject,
  expectedVersion: number | null,
  defaultCode: string,
): Promise<{ removed: TranslationHead; goesOn: string | null }> {
  const record = (await readByKeys(write, [key])).get(key);
  const groupId = record?.groupId ?? null;
  if (!record || groupId === null) throw relationNotFound();
  const groups = await bumpGroups(write, [groupId]);
  assertVersion((groups.get(groupId)?.version ?? 1) - 1, expectedVersion);
  const members = await readMembers(write, groupId);
  await assertReachesSource(write.context, members);
  const { language } = record;
  const removed = await placeRecord(write, record, { groupId: null, language, isSource: false });
  const rest = members.filter(({ _id }) => _id !== record._id);
  const goesOn = await leaveGroup(write, groupId, rest, defaultCode, [removed]);
  return { removed, goesOn: goesOn ? groupId : null };
}

/** The object whose membership is meant; null when the object, or the member of the group, does not exist. */
async function findMember(
  context: RequestContext,
  { objectType, objectId, groupId, language }: UnlinkRelationInput,
): Promise<LocatedObject | null> {
  if (objectType != null && objectId != null && groupId == null && language == null)
    return findObject(context, { type: fromEnumName(objectType), id: objectId });
  if (groupId == null || language == null || objectType != null || objectId != null) {
    throw new AppError(
      'malformed_request',
      'A membership is named by "objectType" and "objectId", or by "groupId" and "language".',
    );
  }
  const group = await findOpenGroup(context, groupId);
  const code = nameLanguage(await loadLanguageSettings(context), language)?.code ?? null;
  const members = group ? await loadMembers(context, group._id) : [];
  const member = members.find((candidate) => candidate.language === code);
  if (!member) throw relationNotFound();
  return ofRecord(context, member);
}
