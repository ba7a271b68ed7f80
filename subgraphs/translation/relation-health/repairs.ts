import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { electSource } from '../relation/electSource.ts';
import { closeGroup, insertGroup, openGroup } from '../relation/groupWrites.ts';
import { leaveGroup } from '../relation/leaveGroup.ts';
import { announceTexts, placeRecord, readMembers, type SystemWrite } from '../relation/membershipWrites.ts';
import { RelationGroupModel, type StoredGroup } from '../relation/model.ts';
import { longestHistory, slotKeyOf, type TranslationHead, TranslationModel } from '../translation/model.ts';

/** Puts a group in order, whatever is wrong with it. Members that cannot stay are alone; none is removed. */
export async function repairGroup(write: SystemWrite, groupId: string, defaultCode: string): Promise<void> {
  const { context, session } = write;
  const group = await scoped(RelationGroupModel, context.installationId).findOne(
    { _id: groupId },
    { session },
  );
  const members = await readMembers(write, groupId);
  if (group?.closed && group.mergedInto !== null)
    return follow(write, { _id: groupId, mergedInto: group.mergedInto }, members);
  const { staying, leaving } = onePerLanguage(members);
  for (const member of leaving) await putAlone(write, member);
  if (staying.length < 2) {
    await leaveGroup(write, groupId, { rest: staying, left: leaving }, defaultCode);
    return;
  }
  await ensureGroup(write, groupId, group, members);
  const source = electSource(staying, defaultCode);
  const present: TranslationHead[] = [];
  for (const member of staying) present.push(await clearSlot(write, member));
  for (const [index, member] of present.entries()) {
    const { language } = member;
    await placeRecord(write, member, { groupId, language, isSource: staying[index] === source });
  }
}

/** Raised as by any other change, so that whoever links at the same moment begins again. */
async function ensureGroup(
  write: SystemWrite,
  groupId: string,
  group: StoredGroup | null,
  members: readonly TranslationHead[],
): Promise<void> {
  const keys = members.map(({ objectKey }) => objectKey);
  const [first] = members;
  if (group) await openGroup(write, groupId, members);
  else if (first) await insertGroup(write, first.objectType, keys, groupId);
}

/** Members that a merge has left behind join the group that the others are in, where their language is free. */
async function follow(
  write: SystemWrite,
  { _id, mergedInto }: { _id: string; mergedInto: string },
  members: readonly TranslationHead[],
): Promise<void> {
  const survivor = await findSurvivor(write, mergedInto);
  if (survivor === null) {
    for (const member of members) await putAlone(write, member);
    await closeGroup(write, _id, members, mergedInto);
    return;
  }
  const present = await readMembers(write, survivor);
  await openGroup(write, survivor, [...present, ...members]);
  await announceTexts(write, present);
  const taken = new Set(present.map(({ language }) => language));
  for (const member of members) {
    const { language } = member;
    if (taken.has(language)) await putAlone(write, member);
    else await placeRecord(write, member, { groupId: survivor, language, isSource: false });
    taken.add(language);
  }
}

/** Null where the members of that group have left it, too. */
async function findSurvivor({ context, session }: SystemWrite, id: string): Promise<string | null> {
  const survivor = await scoped(RelationGroupModel, context.installationId).findOne(
    { _id: id, closed: false },
    { session },
  );
  return survivor?._id ?? null;
}

/** A wrong slot may be another member's: all of them are given up before any is taken. */
async function clearSlot(write: SystemWrite, member: TranslationHead): Promise<TranslationHead> {
  const { _id, groupId, language, slotKey } = member;
  return slotKey === slotKeyOf(_id, groupId, language) ? member : putAlone(write, member);
}

/** Of several in one language the source stays, else the oldest. */
function onePerLanguage(members: readonly TranslationHead[]): {
  staying: TranslationHead[];
  leaving: TranslationHead[];
} {
  const chosen = [...Map.groupBy(members, ({ language }) => language).values()].map(
    (same) => same.find(({ isSource }) => isSource) ?? same[0],
  );
  const staying = members.filter((member) => chosen.includes(member));
  return { staying, leaving: members.filter((member) => !chosen.includes(member)) };
}

function putAlone(write: SystemWrite, member: TranslationHead): Promise<TranslationHead> {
  return placeRecord(write, member, { groupId: null, language: member.language, isSource: false });
}

/** Writes the slot of a record outside of groups again. */
export async function repairSlot(write: SystemWrite, record: TranslationHead): Promise<void> {
  await putAlone(write, record);
}

/** Nobody is shown what has no words: the translation waits for approval again. */
export async function takeDown(
  { context, session, now }: SystemWrite,
  record: TranslationHead,
): Promise<void> {
  const { status } = record;
  const to = status === 'published' ? 'needs_review' : status;
  const step = { at: now, by: context.viewer.id, from: status, to, note: 'Readers were shown no words.' };
  await scoped(TranslationModel, context.installationId).findOneAndUpdate(
    { _id: record._id, version: record.version, publishedFields: null },
    {
      $set: { status: to, liveSince: null, updatedAt: now, updatedBy: context.viewer.id },
      $push: {
        history: { $each: [step], $slice: -longestHistory },
        ...announce(context, 'translation.changed'),
      },
      $inc: { version: 1 },
    },
    { session },
  );
}
