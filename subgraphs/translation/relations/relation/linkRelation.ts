import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { newId } from '../../../platform/ids/newId.ts';
import {
  changeMemberships,
  type MembershipOutcome,
  ofObjects,
} from '../../records/memberships/changeMemberships.ts';
import { membersIn } from '../../records/memberships/memberships.ts';
import { firstRecord } from '../../records/memberships/newRecord.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { fromRecord, type TranslationParent } from '../../records/TranslationParent.ts';
import type { LinkRelationInput } from '../../translation.generated.ts';
import { assertReachesMembers, assertReachesSource } from '../group/policy.ts';
import { type RelationGroupParent, withRecords } from '../group/RelationGroupParent.ts';
import { LanguageTakenError, languageTaken, relationNotFound } from '../group/refuseLink.ts';
import { decideLink, touchedBy } from './link.ts';
import { type LinkPlan, planLink } from './planLink.ts';

/** Links an existing object to a group. Returns whether anything changed. */
export async function linkRelation(
  input: LinkRelationInput,
  context: RequestContext,
): Promise<{ created: boolean; group: RelationGroupParent; detached: TranslationParent[] }> {
  const plan = await planLink(input, context);
  const outcome = await writeLink(context, plan);
  const { decision, records, groups } = outcome;
  const group = groups.get(records.get(plan.object.key)?.groupId ?? '');
  if (!group) throw relationNotFound();
  const putOut = decision?.placements.filter(({ groupId }) => groupId === null) ?? [];
  return {
    created: decision !== null,
    group: await withRecords(context, group, membersIn(outcome, group._id)),
    detached: putOut
      .flatMap(({ record }) => records.get(record.objectKey) ?? [])
      .map((one) => fromRecord(one)),
  };
}

/**
 * Writes a planned link.
 *
 * @throws AppError `language_taken`, `object_in_other_group`, `ownership_required`, `precondition_failed`, …
 */
export async function writeLink(context: RequestContext, plan: LinkPlan): Promise<MembershipOutcome> {
  const { object, anchor, groupId, settings } = plan;
  const material = {
    newGroupId: newId('group'),
    firstRecordOf: (one: TranslatableObject, language: string) => firstRecord(context, one, language),
  };
  const objects = [object, ...(anchor ? [anchor.object] : [])];
  try {
    return await changeMemberships(context, {
      records: ofObjects(...objects.map(({ key }) => key)),
      groupIds: groupId === null ? [] : [groupId],
      queue: [groupId, ...objects.flatMap(({ key, record }) => [key, record?.groupId ?? null])],
      defaultCode: settings.default.code,
      async authorize(state) {
        const { members, replaced } = touchedBy(state, plan);
        await Promise.all([assertReachesSource(context, members), assertReachesMembers(context, replaced)]);
      },
      decide: (state) => decideLink(state, plan, material),
    });
  } catch (error) {
    throw error instanceof LanguageTakenError ? await languageTaken(context, error) : error;
  }
}
