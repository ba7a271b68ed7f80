import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';
import { toTombstone } from './toTombstone.ts';

/** Replaces a `deleted` account by its tombstone, in the transaction that erases the account. */
export async function storeTombstone(
  user: UserRecord,
  erasure: { at: Date; locale: string },
  session: ClientSession,
): Promise<void> {
  const { installationId, _id } = user;
  await scoped(UserModel, installationId).findOneAndUpdate({ _id }, toTombstone(user, erasure), { session });
}

/** Records that nothing is left to erase of an account. */
export async function endErasure(installationId: string, _id: string): Promise<void> {
  const pending = { _id, 'erasure.pending': true };
  await scoped(UserModel, installationId).findOneAndUpdate(pending, { $set: { 'erasure.pending': false } });
}

/** Records when a user has requested the last export; of concurrent requests all but the first are repeated. */
export async function noteExport(
  { installationId, _id }: Pick<UserRecord, 'installationId' | '_id'>,
  lastExportAt: Date,
  session: ClientSession,
): Promise<void> {
  await scoped(UserModel, installationId).findOneAndUpdate({ _id }, { $set: { lastExportAt } }, { session });
}
