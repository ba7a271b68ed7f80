import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { TranslationHead } from '../../records/model.ts';
import { reachOf } from '../../records/policy.ts';
import { objectOfRecord } from '../../records/TranslatableObject.ts';

/**
 * Checks that the caller may change a group, which requires access to its source, or the permission over the whole
 * installation.
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
 * Checks that a leaving member is the caller's own, or the permission applies to the whole installation.
 *
 * @throws AppError `ownership_required`
 */
export async function assertReachesMember(context: RequestContext, member: TranslationHead): Promise<void> {
  const breadth = context.viewer.breadthOf('translations:manage');
  if (reachOf(await objectOfRecord(context, member), breadth) !== 'yes') throw ownershipRequired();
}

/**
 * Checks all moving members together; with the permission over the whole installation they are not read.
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
