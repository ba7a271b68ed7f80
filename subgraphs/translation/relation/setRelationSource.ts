import type { SetRelationSourceInput } from '../../../schema/translation.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { fromEnumName } from '../translatable/enumNames.ts';
import { findObject, type LocatedObject } from '../translatable/LocatedObject.ts';
import { assertReaches } from '../translatable/policy.ts';
import { loadMembers } from '../translation/loaders.ts';
import type { TranslationHead } from '../translation/model.ts';
import { toProvenance } from '../translation/toProvenance.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { announceGroup, bumpGroups, readOpenGroup } from './groupWrites.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { findOpenGroup, loadGroup } from './loadGroup.ts';
import { type MembershipWrite, placeRecord, readByKeys, readMembers } from './membershipWrites.ts';
import { assertReachesSource } from './policy.ts';
import { type RelationGroupParent, withMembers } from './RelationGroupParent.ts';
import { relationNotFound } from './refuseLink.ts';

/** Makes a member the source of its group. */
export async function setRelationSource(
  context: RequestContext,
  { groupId, object: { type, id }, expectedVersion = null }: SetRelationSourceInput,
): Promise<{ changed: boolean; group: RelationGroupParent }> {
  const [group, object] = await Promise.all([
    findOpenGroup(context, groupId),
    findObject(context, { type: fromEnumName(type), id }),
  ]);
  if (!group) throw relationNotFound();
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  await assertReachesSource(context, await loadMembers(context, group._id));
  const now = new Date(context.platform.now());
  const changed = await inRelationTransaction((session) =>
    choose({ context, session, now }, { object, groupId, expectedVersion }),
  );
  forgetMemberships(context);
  const stored = await loadGroup(context, group._id);
  if (!stored) throw relationNotFound();
  return { changed, group: await withMembers(context, stored) };
}

interface Choice {
  readonly object: LocatedObject;
  readonly groupId: string;
  readonly expectedVersion: number | null;
}

async function choose(
  write: MembershipWrite,
  { object, groupId, expectedVersion }: Choice,
): Promise<boolean> {
  const group = await readOpenGroup(write, groupId);
  const record = (await readByKeys(write, [object.key])).get(object.key);
  if (!record || record.groupId !== group._id) throw relationNotFound();
  assertVersion(group.version, expectedVersion);
  if (record.isSource) return false;
  await bumpGroups(write, [group._id]);
  const members = await readMembers(write, group._id);
  await assertReachesSource(write.context, members);
  const former = members.filter(({ isSource }) => isSource);
  for (const member of former) await putBehind(write, member, object, record);
  await placeRecord(write, record, { groupId: group._id, language: record.language, isSource: true });
  await announceGroup(write, group._id, members);
  return true;
}

/** A former source that was made from nothing is in step with the new one from now on. */
async function putBehind(
  write: MembershipWrite,
  former: TranslationHead,
  source: LocatedObject,
  { language }: TranslationHead,
): Promise<void> {
  const place = { groupId: former.groupId, language: former.language, isSource: false };
  const said = { source, language, digest: null, before: null, by: write.context.viewer.id, at: write.now };
  const origin = former.derivedFrom === null ? { origin: toProvenance(said) } : {};
  await placeRecord(write, former, { ...place, ...origin });
}
