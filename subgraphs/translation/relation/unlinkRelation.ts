import type { UnlinkRelationInput } from '../../../schema/translation.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../language/languageSettings.ts';
import { nameLanguage } from '../resolution/nameLanguage.ts';
import { fromEnumName } from '../translatable/enumNames.ts';
import { askSubject, findObject, type LocatedObject, ofRecord } from '../translatable/LocatedObject.ts';
import { fromObjectKey, isCreatedId } from '../translatable/ObjectRef.ts';
import { assertReaches } from '../translatable/policy.ts';
import { loadMembers } from '../translation/loaders.ts';
import type { TranslationHead } from '../translation/model.ts';
import { fromRecord, type TranslationParent } from '../translation/TranslationParent.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { raiseGroups } from './groupWrites.ts';
import { inRelationTransaction, StaleMembership } from './inRelationTransaction.ts';
import { endsWith, placeRest } from './leaveGroup.ts';
import { findOpenGroup } from './loadGroup.ts';
import { type MembershipWrite, readByKeys, readMembers } from './membershipWrites.ts';
import type { StoredGroup } from './model.ts';
import { assertReachesSource } from './policy.ts';
import { type RelationGroupParent, withRecords } from './RelationGroupParent.ts';
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
  askAhead(context, object);
  if (context.viewer.breadthOf('translations:manage') !== 'any')
    await assertReachesSource(context, await loadMembers(context, groupId));
  const { default: standard } = await loadLanguageSettings(context);
  const now = new Date(context.platform.now());
  const { removed, group, members } = await inRelationTransaction(
    (session, isFirst) => {
      const write = { context, session, now };
      // What was read before holds for the first attempt: whoever is not in that group any more begins again.
      const known = isFirst ? groupId : null;
      const plan = { key: object.key, known, expectedVersion: input.expectedVersion ?? null };
      return unlink(write, plan, standard.code);
    },
    [object.key, groupId],
  );
  forgetMemberships(context, [removed, ...members]);
  return {
    removed: fromRecord(removed),
    group: members.length > 0 ? await withRecords(context, group, members) : null,
  };
}

interface UnlinkPlan {
  readonly key: string;
  /** Group that the object was in a moment ago; null where that is not so any more. */
  readonly known: string | null;
  readonly expectedVersion: number | null;
}

async function unlink(
  write: MembershipWrite,
  { key, known, expectedVersion }: UnlinkPlan,
  defaultCode: string,
): Promise<{ removed: TranslationHead; group: StoredGroup; members: readonly TranslationHead[] }> {
  const groupId = known ?? (await readByKeys(write, [key])).get(key)?.groupId ?? null;
  if (groupId === null) throw relationNotFound();
  const present = await readMembers(write, groupId);
  const record = present.find(({ objectKey }) => objectKey === key);
  if (!record) throw new StaleMembership();
  const rest = present.filter((member) => member !== record);
  const change = { id: groupId, concerned: present, closes: endsWith(rest) };
  const group = (await raiseGroups(write, [change])).get(groupId);
  if (!group) throw new StaleMembership();
  assertVersion(group.version - 1, expectedVersion);
  await assertReachesSource(write.context, present);
  const place = { groupId: null, language: record.language, isSource: false };
  const members = await placeRest(write, groupId, { rest, moves: [{ record, place }] }, defaultCode);
  const { version } = record;
  return { removed: { ...record, ...place, version: version + 1 }, group, members };
}

/** The object whose membership is meant; null when the object, or the member of the group, does not exist. */
async function findMember(
  context: RequestContext,
  { objectType, objectId, groupId, language }: UnlinkRelationInput,
): Promise<LocatedObject | null> {
  if (objectType != null && objectId != null && groupId == null && language == null)
    return findObject(context, { type: fromEnumName(objectType), id: objectId }, 'access');
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
  return ofRecord(context, member, 'access');
}

/** Answers say whether what has left is still what its source says: the owner tells while it leaves. */
function askAhead(context: RequestContext, { record }: LocatedObject): void {
  if (!record?.derivedFrom) return;
  const source = fromObjectKey(record.derivedFrom.objectKey);
  // Whoever waits for the answer is told of its failure.
  if (!isCreatedId(source.id)) Promise.resolve(askSubject(context, source, 'owner')).catch(() => undefined);
}
