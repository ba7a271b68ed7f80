import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel } from '../media/model.ts';
import type { ReportRecord } from './model.ts';

/** A report whose files are meant. */
type Case = Pick<ReportRecord, '_id' | 'installationId' | 'mediaIds'>;

/** Keeps reported files from being deleted, in the transaction that opens the report. */
export async function holdMedia(
  { _id, installationId, mediaIds }: Case,
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  await scoped(MediaModel, installationId).updateMany(
    { _id: { $in: mediaIds } },
    { $addToSet: { legalHolds: { type: 'report', id: _id } } },
    { session },
  );
}

/** Lets go of them, in the transaction that resolves the report. */
export async function releaseMedia(
  { _id, installationId, mediaIds }: Case,
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  await scoped(MediaModel, installationId).updateMany(
    { _id: { $in: mediaIds } },
    { $pull: { legalHolds: { type: 'report', id: _id } } },
    { session },
  );
}
