import type { MergeRelationGroupsInput } from '../../../schema/translation.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../language/languageSettings.ts';
import { loadMembers } from '../translation/loaders.ts';
import type { TranslationHead } from '../translation/model.ts';
import type { TranslationParent } from '../translation/TranslationParent.ts';
import { changeMemberships } from './changeMemberships.ts';
import { findOpenGroup } from './loadGroup.ts';
import { type Decision, type Memberships, membersIn, openGroupOf } from './memberships.ts';
import { type Member, membersOfRecords, visibleTo } from './membersOf.ts';
import type { StoredGroup } from './model.ts';
import { assertReachesMembers, assertReachesSource } from './policy.ts';
import { type RelationGroupParent, withRecords } from './RelationGroupParent.ts';
import { relationNotFound } from './refuseLink.ts';

/** What came, or would come, of a merge. */
interface MergeAnswer {
  merged: boolean;
  group: RelationGroupParent;
  conflicts: { languageCode: string; from: TranslationParent | null; into: TranslationParent | null }[];
}

/** Makes two groups one, or says what would come of it. */
export async function mergeRelationGroups(
  context: RequestContext,
  { fromGroupId, intoGroupId, dryRun, expectedVersion = null }: MergeRelationGroupsInput,
): Promise<MergeAnswer> {
  const [from, into] = await Promise.all([
    findOpenGroup(context, fromGroupId),
    findOpenGroup(context, intoGroupId),
  ]);
  if (!from || !into) throw relationNotFound();
  const [leaving, staying] = await Promise.all([
    loadMembers(context, from._id),
    loadMembers(context, into._id),
  ]);
  await assertMayMerge(context, leaving, staying);
  assertMergeable(from, into, fromGroupId === intoGroupId);
  if (dryRun) return preview(context, into, leaving, staying);
  const { default: standard } = await loadLanguageSettings(context);
  const plan = { fromId: fromGroupId, intoId: intoGroupId, expectedVersion };
  const outcome = await changeMemberships(context, {
    groupIds: [fromGroupId, intoGroupId],
    queue: [from._id, into._id],
    defaultCode: standard.code,
    async authorize(state) {
      const groups = groupsOf(state, plan);
      await assertMayMerge(context, membersIn(state, groups.from._id), membersIn(state, groups.into._id));
    },
    decide: (state) => decideMerge(state, plan),
  });
  const group = openGroupOf(outcome, intoGroupId);
  if (!group) throw relationNotFound();
  return {
    merged: outcome.decision !== null,
    group: await withRecords(context, group, membersIn(outcome, group._id)),
    conflicts: [],
  };
}

/** The groups of a merge, as the caller names them. */
export interface MergePlan {
  readonly fromId: string;
  readonly intoId: string;
  readonly expectedVersion: number | null;
}

/**
 * Decides a merge: all members move, or none does; null when both ids lead to one group already. The former source is
 * linked to the one that stays; what the others were made from is as true as before.
 *
 * @throws AppError `relation_not_found`, `precondition_failed`, `merge_conflict`
 */
export function decideMerge(state: Memberships, plan: MergePlan): Decision | null {
  const { from, into } = groupsOf(state, plan);
  assertVersion(into.version, plan.expectedVersion);
  if (from._id === into._id) return null;
  const leaving = membersIn(state, from._id);
  const taken = languagesOfBoth(leaving, membersIn(state, into._id));
  if (taken.length > 0) throw mergeConflict(from._id, into._id, taken);
  return {
    placements: leaving.map((record) => ({
      record,
      groupId: into._id,
      ...(record.isSource && { translates: { digest: null } }),
    })),
    merge: { fromId: from._id, intoId: into._id },
  };
}

function groupsOf(
  state: Memberships,
  { fromId, intoId }: MergePlan,
): { from: StoredGroup; into: StoredGroup } {
  const [from, into] = [openGroupOf(state, fromId), openGroupOf(state, intoId)];
  if (!from || !into) throw relationNotFound();
  return { from, into };
}

/**
 * Whoever merges changes every member that moves, and what the others of the group that stays belong to.
 *
 * @throws AppError `ownership_required`
 */
async function assertMayMerge(
  context: RequestContext,
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
): Promise<void> {
  await Promise.all([assertReachesMembers(context, leaving), assertReachesSource(context, staying)]);
}

/** Codes of the languages in which both have a member. */
function languagesOfBoth(leaving: readonly TranslationHead[], staying: readonly TranslationHead[]): string[] {
  const held = new Set(staying.map(({ language }) => language));
  return leaving.flatMap(({ language }) => (held.has(language) ? [language] : [])).sort();
}

function mergeConflict(fromGroupId: string, intoGroupId: string, languages: readonly string[]): AppError {
  return new AppError('merge_conflict', `Both groups have an object in: ${languages.join(', ')}.`, {
    conflict: { fromGroupId, intoGroupId, languages },
  });
}

function assertMergeable(from: StoredGroup, into: StoredGroup, isNamedTwice: boolean): void {
  if (isNamedTwice) throw new AppError('self_relation', 'A group is not merged with itself.');
  if (from.objectType === into.objectType) return;
  throw new AppError(
    'object_type_mismatch',
    `A group of ${into.objectType} objects has no ${from.objectType}.`,
  );
}

async function preview(
  context: RequestContext,
  into: StoredGroup,
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
): Promise<MergeAnswer> {
  // Both ids lead to one group already: nobody moves.
  const moving = leaving.some(({ groupId }) => groupId === into._id) ? [] : leaving;
  const taken = languagesOfBoth(moving, staying);
  const joining = moving
    .filter(({ language }) => !taken.includes(language))
    .map((record) => ({ ...record, groupId: into._id, isSource: false }));
  const seen = visibleTo(context, await membersOfRecords(context, [...moving, ...staying], 'editorial'));
  return {
    merged: false,
    group: await withRecords(context, into, [...staying, ...joining]),
    conflicts: taken.map((languageCode) => ({
      languageCode,
      from: find(seen, moving, languageCode),
      into: find(seen, staying, languageCode),
    })),
  };
}

function find(
  seen: readonly Member[],
  records: readonly TranslationHead[],
  language: string,
): TranslationParent | null {
  const record = records.find((one) => one.language === language);
  return seen.find(({ translation }) => translation.record === record)?.translation ?? null;
}
