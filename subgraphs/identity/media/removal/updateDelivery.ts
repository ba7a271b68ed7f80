import { Readable } from 'node:stream';
import type { Platform } from '../../../platform/context/Platform.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { withheldKey } from '../../../platform/storage/publicFile.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import type { MediaState } from '../states.ts';

/** States in which no link delivers a file. */
const withheldStates: readonly MediaState[] = ['blocked', 'deleted', 'purged'];

/** Filter for records whose delivery differs from their state, because a process ended in between. */
export const outdatedDelivery = {
  $or: [
    { withheld: false, state: { $in: ['blocked', 'deleted'] } },
    { withheld: true, state: { $in: ['ready', 'processing'] } },
  ],
} as const;

/**
 * Delivers or withholds the files of a record according to its state: public renditions and issued links to originals.
 * Called after every change into or out of `blocked` and `deleted`; a job repeats it after an interruption. The state
 * is confirmed after the store was updated, so the last of concurrent changes prevails.
 */
export async function updateDelivery(
  { storage }: Pick<Platform, 'storage'>,
  { installationId, _id }: Pick<MediaRecord, 'installationId' | '_id'>,
): Promise<void> {
  const media = scoped(MediaModel, installationId);
  for (;;) {
    const record = await media.findOne({ _id }, { projection: { state: 1 } });
    if (!record) return;
    const { state } = record;
    const withheld = withheldStates.includes(state);
    const mark = withheldKey(installationId, _id);
    if (withheld) await storage.put(mark, Readable.from([]), { contentType: 'application/octet-stream' });
    else await storage.delete(mark);
    if (await media.findOneAndUpdate({ _id, state }, { $set: { withheld } })) return;
  }
}
