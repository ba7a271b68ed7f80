import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { changeMemberships } from '../../records/memberships/changeMemberships.ts';
import {
  type Decision,
  type Memberships,
  membersIn,
  openGroupOf,
} from '../../records/memberships/memberships.ts';
import type { StoredGroup } from '../../records/memberships/model.ts';
import type { TranslationHead } from '../../records/model.ts';
import type { TranslationParent } from '../../records/TranslationParent.ts';
import type { MergeRelationGroupsInput } from '../../translation.generated.ts';
import { type Member, membersOfRecords, visibleTo } from '../group/membersOf.ts';
import { assertReachesMembers, assertReachesSource } from '../group/policy.ts';
import { type RelationGroupParent, withRecords } from '../group/RelationGroupParent.ts';
import { relationNotFound } from '../group/refuseLink.ts';

/** Result or preview of a merge. */
interface MergeAnswer {
  merged: boolean;
  group: RelationGroupParent;
  conflicts: {
    languageCode: string;
    /** Undefined if the caller may not see the member. */
    from: TranslationParent | undefined;
    into: TranslationParent | undefined;
  }[];
}

/** Merges two groups, or returns a preview. */
export async function mergeRelationGroups(
  { fromGroupId, intoGroupId, dryRun, expectedVersion = null }: MergeRelationGroupsInput,
  context: RequestContext,
): Promise<MergeAnswer> {
  const plan = { fromId: fromGroupId, intoId: intoGroupId, expectedVersion };
  const { default: standard } = await loadLanguageSettings(context);
  const outcome = await changeMemberships(context, {
    groupIds: [fromGroupId, intoGroupId],
    queue: [fromGroupId, intoGroupId],
    defaultCode: standard.code,
    authorize: (state) => assertMayMerge(context, groupsOf(state, plan)),
    decide: (state) => (dryRun ? assertMergeable(state, plan) : decideMerge(state, plan)),
  });
  const { into, leaving, staying } = groupsOf(outcome, plan);
  if (dryRun) return preview(context, into, leaving, staying);
  return {
    merged: outcome.decision !== null,
    group: await withRecords(context, into, staying),
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
 * Decides a merge: all members move, or none; null if both ids already lead to one group. The former source is linked
 * to the remaining one; the origins of other members stay valid.
 *
 * @throws AppError `relation_not_found`, `precondition_failed`, `merge_conflict`
 */
export function decideMerge(state: Memberships, plan: MergePlan): Decision | null {
  assertMergeable(state, plan);
  const { from, into, leaving, staying } = groupsOf(state, plan);
  assertVersion(into.version, plan.expectedVersion);
  if (from._id === into._id) return null;
  const taken = languagesOfBoth(leaving, staying);
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

/** Returns the open groups of the ids, with their members. */
function groupsOf(state: Memberships, { fromId, intoId }: MergePlan) {
  const [from, into] = [openGroupOf(state, fromId), openGroupOf(state, intoId)];
  if (!from || !into) throw relationNotFound();
  return { from, into, leaving: membersIn(state, from._id), staying: membersIn(state, into._id) };
}

/** The members of two groups. */
interface MergedMembers {
  readonly leaving: readonly TranslationHead[];
  readonly staying: readonly TranslationHead[];
}

/**
 * Checks the caller's access. A merge changes every member that moves, and the group of the members that stay.
 *
 * @throws AppError `ownership_required`
 */
async function assertMayMerge(context: RequestContext, { leaving, staying }: MergedMembers): Promise<void> {
  await Promise.all([assertReachesMembers(context, leaving), assertReachesSource(context, staying)]);
}

/**
 * Checks that two groups can be merged.
 *
 * @throws AppError `self_relation`, `object_type_mismatch`
 */
function assertMergeable(state: Memberships, plan: MergePlan): null {
  if (plan.fromId === plan.intoId)
    throw new AppError('self_relation', 'A group cannot be merged with itself.');
  const { from, into } = groupsOf(state, plan);
  if (from.objectType === into.objectType) return null;
  throw new AppError(
    'object_type_mismatch',
    `A group of ${into.objectType} objects cannot contain a ${from.objectType}.`,
  );
}

/** Returns the codes of the languages in which both have a member. */
function languagesOfBoth(leaving: readonly TranslationHead[], staying: readonly TranslationHead[]): string[] {
  const held = new Set(staying.map(({ language }) => language));
  return leaving.flatMap(({ language }) => (held.has(language) ? [language] : [])).sort();
}

function mergeConflict(fromGroupId: string, intoGroupId: string, languages: readonly string[]): AppError {
  return new AppError('merge_conflict', `Both groups have an object in: ${languages.join(', ')}.`, {
    conflict: { fromGroupId, intoGroupId, languages },
  });
}

async function preview(
  context: RequestContext,
  into: StoredGroup,
  leaving: readonly TranslationHead[],
  staying: readonly TranslationHead[],
): Promise<MergeAnswer> {
  // If both ids already lead to one group, nothing moves.
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
): TranslationParent | undefined {
  const record = records.find((one) => one.language === language);
  return seen.find(({ translation }) => translation.record === record)?.translation;
}
