import type { MergeRelationGroupsInput } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadMembers } from '../translation/loaders.ts';
import type { TranslationHead } from '../translation/model.ts';
import type { TranslationParent } from '../translation/TranslationParent.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { findOpenGroup, loadGroup } from './loadGroup.ts';
import { type Member, membersOfRecords, visibleTo } from './membersOf.ts';
import { assertMayMerge, languagesOfBoth, merge } from './merge.ts';
import type { StoredGroup } from './model.ts';
import { type RelationGroupParent, withMembers, withRecords } from './RelationGroupParent.ts';
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
  const now = new Date(context.platform.now());
  const { merged, groupId } = await inRelationTransaction((session) =>
    merge({ context, session, now }, { fromId: fromGroupId, intoId: intoGroupId, expectedVersion }),
  );
  forgetMemberships(context);
  const group = await loadGroup(context, groupId);
  if (!group) throw relationNotFound();
  return { merged, group: await withMembers(context, group), conflicts: [] };
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
