import type { ClientSession, UpdateQuery } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Replaces what an account was by what is kept of it, in the transaction that erases the account. */
export async function storeTombstone(
  { installationId, _id }: Pick<UserRecord, 'installationId' | '_id'>,
  tombstone: UpdateQuery<UserRecord>,
  session: ClientSession,
): Promise<void> {
  await scoped(UserModel, installationId).findOneAndUpdate({ _id }, tombstone, { session });
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
