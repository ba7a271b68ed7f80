import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { findOpenGroup } from '../../records/memberships/loadGroup.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject } from '../../records/TranslatableObject.ts';
import type { QueryrelationGroupArgs } from '../../translation.generated.ts';
import { groupOf, type RelationGroupParent, withMembers } from './RelationGroupParent.ts';
import { relationNotFound } from './refuseLink.ts';

/** Returns a group by its id, or that of an object. */
export async function relationGroup(
  context: RequestContext,
  { groupId, objectType, objectId }: QueryrelationGroupArgs,
): Promise<RelationGroupParent> {
  if (groupId != null && objectType == null && objectId == null) return readGroupById(context, groupId);
  if (groupId != null || objectType == null || objectId == null) {
    throw new AppError(
      'malformed_request',
      'Identify a group by "groupId", or by "objectType" and "objectId".',
    );
  }
  const object = await findObject(context, { type: objectType, id: objectId }, 'ownerAccess');
  assertReaches(context, 'translations:read', object, 'object_not_found');
  return groupOf(context, object);
}

async function readGroupById(context: RequestContext, id: string): Promise<RelationGroupParent> {
  const group = await findOpenGroup(context, id);
  if (!group) throw relationNotFound();
  const found = await withMembers(context, group, group._id === id ? null : id);
  if (!found.mine) throw ownershipRequired();
  return found;
}

/** Returns the group of another subgraph's reference; null if the caller may not see it. */
export async function findGroup(context: RequestContext, id: string): Promise<RelationGroupParent | null> {
  const group = await findOpenGroup(context, id);
  const found = group && (await withMembers(context, group, group._id === id ? null : id));
  return found?.mine ? found : null;
}
