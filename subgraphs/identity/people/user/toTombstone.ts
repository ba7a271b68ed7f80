import type { UpdateQuery } from 'mongoose';
import { defaultPreferences } from './createUser.ts';
import { UserModel, type UserRecord } from './model.ts';

/**
 * The update that erases a `deleted` account: its id, type, timestamps and states remain. Every other member takes the
 * model’s default, so a member that is added to accounts later is erased without a change here.
 */
export function toTombstone(
  user: UserRecord,
  { at, locale }: { at: Date; locale: string },
): UpdateQuery<UserRecord> {
  // Not an email address, so it cannot be registered, and as unique as the address was.
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
    // Events that are still to be published describe the tombstone.
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
