import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel } from './model.ts';

/** An open case that files belong to. */
interface Case {
  installationId: string;
  type: 'report' | 'dispute';
  /** Of the report or dispute. */
  id: string;
  mediaIds: readonly string[];
}

/** Keeps files from being deleted, in the transaction that adds them to the case. */
export async function holdMedia(
  { installationId, type, id, mediaIds }: Case,
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  await scoped(MediaModel, installationId).updateMany(
    { _id: { $in: [...mediaIds] } },
    { $addToSet: { legalHolds: { type, id } } },
    { session },
  );
}

/** Lets go of them, in the transaction that closes the case. */
export async function releaseMedia(
  { installationId, type, id, mediaIds }: Case,
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  await scoped(MediaModel, installationId).updateMany(
    { _id: { $in: [...mediaIds] } },
    { $pull: { legalHolds: { type, id } } },
    { session },
  );
}
