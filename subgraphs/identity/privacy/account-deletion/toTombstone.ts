import type { UpdateQuery } from 'mongoose';
import { defaultPreferences } from '../../people/user/createUser.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';

/**
 * The update that leaves of an account, once it is `deleted`, its id, its kind, its times and its states. Everything
 * else takes the model’s default, so that a member which is added to accounts one day is erased without anybody
 * thinking of it here.
 */
export function toTombstone(
  user: UserRecord,
  { at, locale }: { at: Date; locale: string },
): UpdateQuery<UserRecord> {
  // No mailbox: nobody can register it, and it is unique as the address was.
  const nameless = `deleted:${user._id}`;
  const {
    _id,
    installationId: _,
    ...members
  } = new UserModel({
    _id: user._id,
    installationId: user.installationId,
    email: nameless,
    emailNormalized: nameless,
    emailVerified: false,
    displayName: 'Deleted account',
    locale,
    timeZone: 'UTC',
    accountType: user.accountType,
    state: user.state,
    stateHistory: user.stateHistory,
    notificationPreferences: { ...defaultPreferences },
    lastSignInAt: null,
    version: user.version,
    createdAt: user.createdAt,
    updatedAt: at,
    erasure: { at, pending: true },
    // What was not told yet is told of the tombstone.
    ...(user.outbox && { outbox: user.outbox }),
  }).toObject();
  const surplus = Object.keys(user).filter(
    (member) => !(member in members) && member !== '_id' && member !== 'installationId',
  );
  return {
    $set: members,
    ...(surplus.length > 0 ? { $unset: Object.fromEntries(surplus.map((member) => [member, 1])) } : {}),
  };
}
