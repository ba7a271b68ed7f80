import type { ClientSession } from 'mongoose';
import type { Platform } from '../../platform/context/Platform.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaUse } from './model.ts';

/** Uses that make a file visible to readers. */
const shownUses: readonly MediaUse['type'][] = ['listing', 'avatar', 'logo', 'banner'];

/**
 * Updates `usage` of files to match their references. Called in the transaction that writes the reference, so that a
 * file is not deleted while it is being attached, and the reverse. A change of visibility to readers is published. The
 * caller has checked owner and purpose.
 *
 * @param use the record that refers to them, and how
 * @param before ids of files that it referred to
 * @param after ids of files that it refers to after the change
 * @throws AppError `media_not_ready` if an added file is not ready
 */
export async function setMediaUsage(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  use: MediaUse,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  session: ClientSession,
): Promise<void> {
  const media = scoped(MediaModel, installationId);
  const added = [...new Set(after)].filter((id) => !before.includes(id));
  const told = shownUses.includes(use.type) ? { $push: announce({ platform }, 'object.updated') } : {};
  const removed = [...new Set(before)].filter((id) => !after.includes(id));
  if (removed.length > 0) {
    await media.updateMany({ _id: { $in: removed } }, { $pull: { usage: use }, ...told }, { session });
  }
  if (added.length === 0) return;
  const ready = await media.updateMany(
    { _id: { $in: added }, state: 'ready' },
    { $addToSet: { usage: use }, ...told },
    { session },
  );
  if (ready < added.length)
    throw new AppError(
      'media_not_ready',
      'A file in the request is not ready. Retry when its processing has finished.',
    );
}
