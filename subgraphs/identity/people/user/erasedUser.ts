import type { ClientSession, UpdateQuery } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { defaultPreferences } from './createUser.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Replaces a `deleted` account by its tombstone, in the transaction that erases the account. */
export async function storeTombstone(
  user: UserRecord,
  erasure: { at: Date; locale: string },
  session: ClientSession,
): Promise<void> {
  const { installationId, _id } = user;
  await scoped(UserModel, installationId).findOneAndUpdate({ _id }, toTombstone(user, erasure), { session });
}

/** Records that the erasure of an account is complete. */
export async function endErasure(installationId: string, _id: string): Promise<void> {
  const pending = { _id, 'erasure.pending': true };
  await scoped(UserModel, installationId).findOneAndUpdate(pending, { $set: { 'erasure.pending': false } });
}

/** Records when a user has requested the last export. Of concurrent requests, all but the first are retried. */
export async function noteExport(
  { installationId, _id }: Pick<UserRecord, 'installationId' | '_id'>,
  lastExportAt: Date,
  session: ClientSession,
): Promise<void> {
  await scoped(UserModel, installationId).findOneAndUpdate({ _id }, { $set: { lastExportAt } }, { session });
}

/**
 * Returns the update that erases a `deleted` account. Its id, type, timestamps and states remain. Every other member is
 * set to the model's default, so that new members are erased without a change here.
 */
function toTombstone(
  user: UserRecord,
  { at, locale }: { at: Date; locale: string },
): UpdateQuery<UserRecord> {
  // Not an email address, so it cannot be registered; as unique as the address was.
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
    // Pending events describe the tombstone.
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
