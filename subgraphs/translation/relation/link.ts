import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { type LocatedObject, ofRecord } from '../translatable/LocatedObject.ts';
import { missingObject } from '../translatable/policy.ts';
import type { TranslationHead } from '../translation/model.ts';
import { type Provenance, toProvenance } from '../translation/toProvenance.ts';
import { electSource } from './electSource.ts';
import { insertGroup, raiseGroups, readOpenGroup } from './groupWrites.ts';
import { StaleMembership } from './inRelationTransaction.ts';
import { leaveGroup } from './leaveGroup.ts';
import {
  announceTexts,
  type MembershipWrite,
  placeObject,
  placeObjects,
  placeRecord,
  readByKeys,
  readMembers,
} from './membershipWrites.ts';
import type { StoredGroup } from './model.ts';
import type { LinkPlan } from './planLink.ts';
import { assertReachesMember, assertReachesSource } from './policy.ts';
import { languageTaken, objectInOtherGroup } from './refuseLink.ts';

/** What a link has changed. */
export interface LinkOutcome {
  readonly created: boolean;
  /** Records that were put out of the group. */
  readonly detached: readonly TranslationHead[];
  /** The group, and who is in it now. */
  readonly group: StoredGroup;
  readonly members: readonly TranslationHead[];
}

/** A link as the transaction finds things. */
interface Attempt {
  readonly write: MembershipWrite;
  readonly plan: LinkPlan;
  /** Record of the object; null before its first link. */
  readonly record: TranslationHead | null;
  readonly anchorRecord: TranslationHead | null;
  /** Group to be joined; null while the anchor is alone. */
  readonly targetId: string | null;
}

/**
 * Links inside of a transaction; repeated from here when another request was faster.
 *
 * @param isFirst whether what was read to plan it is tried: whatever it writes, or rests on, is checked against that
 */
export async function link(write: MembershipWrite, plan: LinkPlan, isFirst: boolean): Promise<LinkOutcome> {
  const { record, anchorRecord } = isFirst ? recordsOf(plan) : await readRecords(write, plan);
  const named = plan.groupId === null ? null : await readOpenGroup(write, plan.groupId);
  const targetId = named?._id ?? anchorRecord?.groupId ?? null;
  if (targetId !== null && record?.groupId === targetId) {
    const members = await readMembers(write, targetId);
    assertMembers(members, [record, anchorRecord]);
    const group = named ?? (await readOpenGroup(write, targetId));
    assertVersion(group.version, plan.expectedVersion);
    return { created: false, detached: [], group, members };
  }
  return change({ write, plan, record, anchorRecord, targetId });
}

type Records = Pick<Attempt, 'record' | 'anchorRecord'>;

function recordsOf({ object, anchor }: LinkPlan): Records {
  return { record: object.record, anchorRecord: anchor?.object.record ?? null };
}

async function readRecords(write: MembershipWrite, { object, anchor }: LinkPlan): Promise<Records> {
  const records = await readByKeys(write, [object.key, ...(anchor ? [anchor.object.key] : [])]);
  const record = records.get(object.key) ?? null;
  const anchorRecord = (anchor && records.get(anchor.object.key)) ?? null;
  if (isGoneSince(object.record, record)) throw missingObject('object_not_found');
  if (anchor && isGoneSince(anchor.object.record, anchorRecord))
    throw missingObject('related_object_not_found');
  return { record, anchorRecord };
}

/** Whether an object was deleted after its owner was asked for it. */
function isGoneSince(before: TranslationHead | null, now: TranslationHead | null): boolean {
  return (before?.objectGoneAt ?? null) === null && (now?.objectGoneAt ?? null) !== null;
}

/** @throws StaleMembership when one of them has left the group since it was read */
function assertMembers(
  members: readonly TranslationHead[],
  expected: readonly (TranslationHead | null)[],
): void {
  const ids = new Set(members.map(({ _id }) => _id));
  if (expected.some((record) => record !== null && !ids.has(record._id))) throw new StaleMembership();
}

async function change(attempt: Attempt): Promise<LinkOutcome> {
  const { write, plan, record, anchorRecord, targetId } = attempt;
  const formerId = record?.groupId ?? null;
  const members = targetId === null ? [] : await readMembers(write, targetId);
  if (targetId !== null) assertMembers(members, [anchorRecord]);
  const concerned = [...members, { objectKey: plan.object.key }];
  const raised = await raiseGroups(write, [
    ...(targetId === null ? [] : [{ id: targetId, concerned }]),
    ...(formerId === null ? [] : [{ id: formerId }]),
  ]);
  const group = raised.get(targetId ?? '');
  assertVersion(group ? group.version - 1 : 0, plan.expectedVersion);
  await assertReachesSource(write.context, members);
  const holder = await findHolder(attempt, members);
  if (formerId !== null) await leaveFormer(attempt, formerId);
  const detached = holder ? [await putOut(write, holder)] : [];
  if (!group) return { created: true, detached, ...(await found(attempt)) };
  const staying = members.filter((member) => member !== holder);
  const joined = await join(attempt, group._id, staying);
  await announceTexts(write, staying);
  return { created: true, detached, group, members: joined };
}

/** The member that has to go for the object; undefined when its language is free. */
async function findHolder(
  { write, plan, anchorRecord, targetId }: Attempt,
  members: readonly TranslationHead[],
): Promise<TranslationHead | undefined> {
  const { anchor, language, onConflict } = plan;
  if (targetId === null && anchor?.language === language)
    throw languageTaken(write.context, null, language, anchor.object);
  const holder = members.find((member) => member.language === language);
  if (!holder) return undefined;
  const isAnchor = holder._id === anchorRecord?._id;
  if (onConflict !== 'replace' || isAnchor)
    throw languageTaken(write.context, targetId, language, await ofRecord(write.context, holder));
  await assertReachesMember(write.context, holder);
  return holder;
}

/** @throws AppError `object_in_other_group` when it may not, because links would be lost */
async function leaveFormer({ write, plan, record }: Attempt, formerId: string): Promise<void> {
  if (record && record.language !== plan.language)
    throw new AppError('language_mismatch', 'The object was linked in another language meanwhile.');
  const rest = (await readMembers(write, formerId)).filter(({ _id }) => _id !== record?._id);
  if (plan.onConflict === 'reject' && rest.length > 0) throw objectInOtherGroup(formerId);
  await leaveGroup(write, formerId, { rest, left: record ? [record] : [] }, plan.settings.default.code);
}

function putOut(write: MembershipWrite, member: TranslationHead): Promise<TranslationHead> {
  return placeRecord(write, member, { groupId: null, language: member.language, isSource: false });
}

/**
 * A new group: the object that was alone is its source. The records are written in the order of their keys, so that
 * two links between the same objects meet at the first of them and neither holds what the other waits for.
 */
async function found(attempt: Attempt): Promise<{ group: StoredGroup; members: TranslationHead[] }> {
  const { write, plan, record, anchorRecord } = attempt;
  if (!plan.anchor) throw new Error('A link without group names an object to be related to.');
  const { object: anchor, language } = plan.anchor;
  const group = await insertGroup(write, anchor.ref.type, [anchor.key, plan.object.key]);
  const { _id: groupId } = group;
  const origin = provenanceOf(attempt, anchor, language);
  const moves = [
    { object: anchor, record: anchorRecord, place: { groupId, language, isSource: true } },
    { object: plan.object, record, place: { groupId, language: plan.language, isSource: false, origin } },
  ];
  moves.sort((a, b) => (a.object.key < b.object.key ? -1 : 1));
  return { group, members: await placeObjects(write, moves) };
}

/** Answers the members with the newcomer. */
async function join(
  attempt: Attempt,
  groupId: string,
  staying: readonly TranslationHead[],
): Promise<TranslationHead[]> {
  const { write, plan, record } = attempt;
  const newcomer = { language: plan.language, isSource: false };
  const elected = electSource([...staying, newcomer], plan.settings.default.code);
  const source = staying.find((member) => member === elected);
  const place = { groupId, language: plan.language };
  if (!source)
    return [...staying, await placeObject(write, plan.object, record, { ...place, isSource: true })];
  const chosen = source.isSource
    ? source
    : await placeRecord(write, source, { groupId, language: source.language, isSource: true });
  const origin = provenanceOf(attempt, await ofRecord(write.context, source), source.language);
  const joined = await placeObject(write, plan.object, record, { ...place, isSource: false, origin });
  return [...staying.map((member) => (member === source ? chosen : member)), joined];
}

function provenanceOf({ write, plan, record }: Attempt, source: LocatedObject, language: string): Provenance {
  return toProvenance({
    source,
    language,
    digest: plan.sourceDigest,
    before: record?.derivedFrom ?? null,
    by: write.context.viewer.id,
    at: write.now,
  });
}
