import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { TranslationHead } from '../../records/model.ts';
import { reachOf } from '../../records/policy.ts';
import { objectOfRecord } from '../../records/TranslatableObject.ts';

/**
 * Who changes a group needs its source, or the permission over the whole installation.
 *
 * @param members of the group, of any owner
 * @throws AppError `ownership_required`
 */
export async function assertReachesSource(
  context: RequestContext,
  members: readonly TranslationHead[],
): Promise<void> {
  const breadth = context.viewer.breadthOf('translations:manage');
  const source = members.find(({ isSource }) => isSource);
  if (breadth === 'any' || !source) return;
  if (reachOf(await objectOfRecord(context, source), breadth) !== 'yes') throw ownershipRequired();
}

/**
 * A member that leaves a group must be the caller's own, or the permission reach the whole installation.
 *
 * @throws AppError `ownership_required`
 */
export async function assertReachesMember(context: RequestContext, member: TranslationHead): Promise<void> {
  const breadth = context.viewer.breadthOf('translations:manage');
  if (reachOf(await objectOfRecord(context, member), breadth) !== 'yes') throw ownershipRequired();
}

/**
 * The same for all who move at once; the permission over the whole installation needs no look at them.
 *
 * @throws AppError `ownership_required`
 */
export async function assertReachesMembers(
  context: RequestContext,
  members: readonly TranslationHead[],
): Promise<void> {
  if (context.viewer.breadthOf('translations:manage') === 'any') return;
  await Promise.all(members.map((member) => assertReachesMember(context, member)));
}
