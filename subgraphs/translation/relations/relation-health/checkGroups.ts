import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { RelationGroupModel, type StoredGroup } from '../../records/memberships/model.ts';
import { headProjection, type TranslationHead, TranslationModel } from '../../records/model.ts';
import { aboutGroup, type RelationFindingParent } from './RelationFindingParent.ts';

/**
 * Result of checking a range: the findings, the number of checked objects, and the key after which the next range
 * starts.
 */
export interface Stretch {
  readonly findings: readonly RelationFindingParent[];
  readonly lookedAt: number;
  /** Last key; null at the end. */
  readonly last: string | null;
}

/** Checks open groups in the order of their ids; two commands for any number. */
export async function checkGroups(
  { installationId }: RequestContext,
  after: string,
  limit: number,
): Promise<Stretch> {
  const groups = await reads(RelationGroupModel, installationId).find(
    { closed: false, _id: { $gt: after } },
    { sort: { _id: 1 }, limit },
  );
  const records = await reads(TranslationModel, installationId).find(
    { groupId: { $in: groups.map(({ _id }) => _id) } },
    { projection: headProjection, sort: { createdAt: 1, _id: 1 } },
  );
  const members = Map.groupBy(records, ({ groupId }) => groupId);
  return {
    findings: groups.flatMap((group) => checkGroup(group, members.get(group._id) ?? [])),
    lookedAt: groups.length,
    last: groups.length < limit ? null : (groups.at(-1)?._id ?? null),
  };
}

function checkGroup({ _id }: StoredGroup, members: readonly TranslationHead[]): RelationFindingParent[] {
  if (members.length < 2)
    return [aboutGroup('group_too_small', _id, `The group has ${members.length} members.`)];
  const findings: RelationFindingParent[] = [];
  const sources = members.filter(({ isSource }) => isSource).length;
  if (sources === 0) findings.push(aboutGroup('source_missing', _id, 'No member is the source.'));
  if (sources > 1) findings.push(aboutGroup('source_twice', _id, `${sources} members are the source.`));
  for (const [language, same] of Map.groupBy(members, (member) => member.language)) {
    if (same.length < 2) continue;
    const keys = same.map(({ objectKey }) => objectKey).join(', ');
    findings.push(aboutGroup('language_twice', _id, `In "${language}": ${keys}.`));
  }
  return findings;
}
