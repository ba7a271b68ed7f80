import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { changeMemberships, ofObjects } from '../../records/memberships/changeMemberships.ts';
import { findOpenGroup } from '../../records/memberships/loadGroup.ts';
import {
  type Decision,
  type Memberships,
  membersIn,
  openGroupOf,
} from '../../records/memberships/memberships.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject } from '../../records/TranslatableObject.ts';
import type { SetRelationSourceInput } from '../../translation.generated.ts';
import { assertReachesSource } from '../group/policy.ts';
import { type RelationGroupParent, withRecords } from '../group/RelationGroupParent.ts';
import { relationNotFound } from '../group/refuseLink.ts';

/** Makes a member the source of its group. */
export async function setRelationSource(
  { groupId, object: { type, id }, expectedVersion = null }: SetRelationSourceInput,
  context: RequestContext,
): Promise<{ changed: boolean; group: RelationGroupParent }> {
  const [group, object] = await Promise.all([
    findOpenGroup(context, groupId),
    findObject(context, { type, id }),
  ]);
  if (!group) throw relationNotFound();
  assertReaches(context, 'translations:manage', object, 'object_not_found');
  const { default: standard } = await loadLanguageSettings(context);
  const outcome = await changeMemberships(context, {
    records: ofObjects(object.key),
    groupIds: [groupId],
    queue: [group._id, object.key],
    defaultCode: standard.code,
    authorize: (state) => assertReachesSource(context, membersIn(state, openGroupOf(state, groupId)?._id)),
    decide: (state) => decideSource(state, { key: object.key, groupId, expectedVersion }),
  });
  const stored = openGroupOf(outcome, groupId);
  if (!stored) throw relationNotFound();
  return {
    changed: outcome.decision !== null,
    group: await withRecords(context, stored, membersIn(outcome, stored._id)),
  };
}

/** The member that becomes the source of a group. */
export interface SourceChoice {
  readonly key: string;
  readonly groupId: string;
  readonly expectedVersion: number | null;
}

/**
 * Decides the source; null if the member already is. A former source without an origin becomes a translation of the new
 * one.
 *
 * @throws AppError `relation_not_found`, `precondition_failed`
 */
export function decideSource(
  state: Memberships,
  { key, groupId, expectedVersion }: SourceChoice,
): Decision | null {
  const group = openGroupOf(state, groupId);
  const record = state.records.get(key);
  if (!group || !record || record.groupId !== group._id) throw relationNotFound();
  assertVersion(group.version, expectedVersion);
  if (record.isSource) return null;
  const former = membersIn(state, group._id).filter(({ isSource }) => isSource);
  return {
    placements: [
      ...former.map((member) => ({
        record: member,
        groupId: group._id,
        ...(member.derivedFrom === null && { translates: { digest: null } }),
      })),
      { record, groupId: group._id, isSource: true },
    ],
  };
}
