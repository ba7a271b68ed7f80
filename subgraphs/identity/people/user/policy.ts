import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Users by id, batched per request; null for an id of another installation. */
export const userLoader = recordLoader(UserModel, { type: 'user' });

export const userPolicy: OwnershipPolicy<UserRecord> = {
  load: (id, context) => context.loader(userLoader).load(id),
  isOwner: (viewer, user) => viewer.id === user._id,
};
