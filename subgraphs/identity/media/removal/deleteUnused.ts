import type { ClientSession } from 'mongoose';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { MediaModel } from '../model.ts';
import { transitions } from '../states.ts';

const deletable = transitions.flatMap(({ from, by }) => (by === 'deleteMedia' ? [from] : []));

/**
 * Deletes those files that no record refers to and no case holds, as if their owner had deleted them. Called in the
 * transaction that removed the references; a job updates their delivery.
 */
export async function deleteUnused(
  { installationId, at }: { installationId: string; at: Date },
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  await scoped(MediaModel, installationId).updateMany(
    {
      _id: { $in: [...ids] },
      state: { $in: deletable },
      'usage.0': { $exists: false },
      'legalHolds.0': { $exists: false },
    },
    {
      $set: { state: 'deleted', stateAt: at, updatedAt: at },
      $inc: { version: 1 },
      $push: announce({ platform: { now: () => at.getTime() } }, 'object.deleted'),
    },
    { session },
  );
}
