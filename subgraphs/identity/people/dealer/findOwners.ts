import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import type { DealerRecord } from './model.ts';

/** Returns the accounts of a dealer's owners who can receive messages. */
export function findOwners(
  { installationId }: Pick<RequestContext, 'installationId'>,
  { members }: Pick<DealerRecord, 'members'>,
  options: { session?: ClientSession } = {},
): Promise<UserRecord[]> {
  const ids = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
  return scoped(UserModel, installationId).find(
    { _id: { $in: ids }, state: { $ne: 'deleted' } },
    { sort: { _id: 1 }, ...options },
  );
}
