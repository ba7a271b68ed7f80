import type { ClientSession, UpdateQuery } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaRecord } from './model.ts';

/** An open case that files belong to. */
interface Case {
  installationId: string;
  type: 'report' | 'dispute';
  /** Id of the report or dispute. */
  id: string;
  mediaIds: readonly string[];
}

/** Places a legal hold on files, in the transaction that adds them to the case. */
export function holdMedia({ type, id, ...files }: Case, session: ClientSession): Promise<void> {
  return changeHolds(files, { $addToSet: { legalHolds: { type, id } } }, session);
}

/** Ends the legal hold of `holdMedia`, in the transaction that closes the case. */
export function releaseMedia({ type, id, ...files }: Case, session: ClientSession): Promise<void> {
  return changeHolds(files, { $pull: { legalHolds: { type, id } } }, session);
}

async function changeHolds(
  { installationId, mediaIds }: Pick<Case, 'installationId' | 'mediaIds'>,
  update: UpdateQuery<MediaRecord>,
  session: ClientSession,
): Promise<void> {
  if (mediaIds.length === 0) return;
  await scoped(MediaModel, installationId).updateMany({ _id: { $in: [...mediaIds] } }, update, { session });
}
