import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { fromObjectKey, isCreatedId } from '../../objects/ObjectRef.ts';
import { loadMembers } from '../../records/loaders.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import { findOpenGroup } from '../../records/memberships/loadGroup.ts';
import { type Decision, type Memberships, membersIn } from '../../records/memberships/memberships.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject, objectOfRecord, type TranslatableObject } from '../../records/TranslatableObject.ts';
import { fromRecord, type TranslationParent } from '../../records/TranslationParent.ts';
import type { UnlinkRelationInput } from '../../translation.generated.ts';
import { assertReachesSource } from '../group/policy.ts';
import { type RelationGroupParent, withRecords } from '../group/RelationGroupParent.ts';
import { relationNotFound } from '../group/refuseLink.ts';

/** Ends the membership of an object. The object, its texts and its status are unchanged. */
export async function unlinkRelation(
  input: UnlinkRelationInput,
  context: RequestContext,
): Promise<{ removed: TranslationParent; group: RelationGroupParent | null }> {
  const object = await findMember(context, input);
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  const groupId = object.record?.groupId ?? null;
  if (groupId === null) throw relationNotFound();
  askAhead(context, object);
  const { default: standard } = await loadLanguageSettings(context);
  const { key } = object;
  const outcome = await changeMemberships(context, {
    records: ofObjects(key),
    queue: [key, groupId],
    defaultCode: standard.code,
    authorize: (state) => assertReachesSource(context, membersIn(state, state.records.get(key)?.groupId)),
    decide: (state) => decideUnlink(state, key, input.expectedVersion ?? null),
  });
  const removed = outcome.records.get(key);
  const [left] = outcome.decision?.normalize ?? [];
  const group = outcome.groups.get(left ?? '');
  if (!removed || !group) throw relationNotFound();
  const members = membersIn(outcome, group._id);
  return {
    removed: fromRecord(removed),
    group: members.length > 0 ? await withRecords(context, group, members) : null,
  };
}

/**
 * Decides that an object leaves its group.
 *
 * @throws AppError `relation_not_found`, `precondition_failed`
 */
export function decideUnlink(state: Memberships, key: string, expectedVersion: number | null): Decision {
  const record = state.records.get(key);
  const groupId = record?.groupId ?? null;
  if (!record || groupId === null) throw relationNotFound();
  assertVersion(state.groups.get(groupId)?.version ?? 0, expectedVersion);
  return { placements: [{ record, groupId: null }], normalize: [groupId] };
}

/** Returns the object of the membership; null if the object, or the member of the group, does not exist. */
async function findMember(
  context: RequestContext,
  { objectType, objectId, groupId, language }: UnlinkRelationInput,
): Promise<TranslatableObject | null> {
  if (objectType != null && objectId != null && groupId == null && language == null)
    return findObject(context, { type: objectType, id: objectId }, 'ownerAccess');
  if (groupId == null || language == null || objectType != null || objectId != null) {
    throw new AppError(
      'malformed_request',
      'Identify a membership by "objectType" and "objectId", or by "groupId" and "language".',
    );
  }
  const group = await findOpenGroup(context, groupId);
  const code = nameLanguage(await loadLanguageSettings(context), language)?.code ?? null;
  const members = group ? await loadMembers(context, group._id) : [];
  const member = members.find((candidate) => candidate.language === code);
  if (!member) throw relationNotFound();
  return objectOfRecord(context, member, 'ownerAccess');
}

/** Starts the query to the owner early. The response states whether the leaving object still equals its source. */
function askAhead(context: RequestContext, { record }: TranslatableObject): void {
  if (!record?.derivedFrom) return;
  const source = fromObjectKey(record.derivedFrom.objectKey);
  // The caller that awaits the result gets its failure.
  if (!isCreatedId(source.id)) loadMarketplaceObject(context, source, 'ownerTexts').catch(() => undefined);
}
