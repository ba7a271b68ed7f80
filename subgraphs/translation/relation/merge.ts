import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { ofRecord } from '../translatable/LocatedObject.ts';
import type { TranslationHead } from '../translation/model.ts';
import { toProvenance } from '../translation/toProvenance.ts';
import { announceGroup, bumpGroups, closeGroup, movePointers, readOpenGroup } from './groupWrites.ts';
import {
  announceTexts,
  type MembershipWrite,
  type Move,
  placeRecords,
  readMembers,
} from './membershipWrites.ts';
import { assertReachesMembers, assertReachesSource } from './policy.ts';

/** The groups of a merge, as the caller names them. */
export interface MergePlan {
  readonly fromId: string;
  readonly intoId: string;
  readonly expectedVersion: number | null;
}

/**
 * Merges inside of a transaction; repeated from here when another request was faster. All members move, or none does.
 *
 * @throws AppError `relation_not_found`, `ownership_required`, `precondition_failed`, `merge_conflict`
 */
export async function merge(
  write: MembershipWrite,
  { fromId, intoId, expectedVersion }: MergePlan,
): Promise<{ merged: boolean; groupId: string }> {
  const from = await readOpenGroup(write, fromId);
  const into = await readOpenGroup(write, intoId);
  if (from._id === into._id) {
    assertVersion(into.version, expectedVersion);
    return { merged: false, groupId: into._id };
  }
  await bumpGroups(write, [from._id, into._id]);
  assertVersion(into.version, expectedVersion);
  const leaving = await readMembers(write, from._id);
  const staying = await readMembers(write, into._id);
  await assertMayMerge(write.context, leaving, staying);
  const taken = languagesOfBoth(leaving, staying);
  if (taken.length > 0) throw mergeConflict(from._id, into._id, taken);
  await placeRecords(write, await movesOf(write, leaving, staying, into._id));
  await movePointers(write, from._id, into._id);
  await closeGroup(write, from._id, leaving, into._id);
  await announceGroup(write, into._id, [...staying, ...leaving]);
  await announceTexts(write, staying);
  return { merged: true, groupId: into._id };
}

/**
 * Whoever merges changes every member that moves, and what the others of the group that stays belong to.
 *
 * @throws AppError `ownership_required`
 */
export async function assertMayMerge(
  context: RequestContext,
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
): Promise<void> {
  await Promise.all([assertReachesMembers(context, leaving), assertReachesSource(context, staying)]);
}

/** Codes of the languages in which both have a member. */
export function languagesOfBoth(
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
): string[] {
  const held = new Set(staying.map(({ language }) => language));
  return leaving.flatMap(({ language }) => (held.has(language) ? [language] : [])).sort();
}

/** The former source is linked to the one that stays; what the others were made from is as true as before. */
async function movesOf(
  { context, now }: MembershipWrite,
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
  groupId: string,
): Promise<Move[]> {
  const source = staying.find(({ isSource }) => isSource);
  const located = source && (await ofRecord(context, source));
  return leaving.map((record) => {
    const place = { groupId, language: record.language, isSource: false };
    if (!record.isSource || !located) return { record, place };
    const origin = toProvenance({
      source: located,
      language: source.language,
      digest: null,
      before: record.derivedFrom,
      by: context.viewer.id,
      at: now,
    });
    return { record, place: { ...place, origin } };
  });
}

function mergeConflict(fromGroupId: string, intoGroupId: string, languages: readonly string[]): AppError {
  return new AppError('merge_conflict', `Both groups have an object in: ${languages.join(', ')}.`, {
    conflict: { fromGroupId, intoGroupId, languages },
  });
}
