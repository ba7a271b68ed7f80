import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Users by id, batched per request; null for an id of another installation. */
export function userLoader({ installationId }: RequestContext): DataLoader<string, UserRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('user', id));
    const users = scoped(UserModel, installationId);
    const records = known.length > 0 ? await users.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

export const userPolicy: OwnershipPolicy<UserRecord> = {
  load: (id, context) => context.loader(userLoader).load(id),
  isOwner: (viewer, user) => viewer.id === user._id,
};
