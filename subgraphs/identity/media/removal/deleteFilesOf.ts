import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { MediaModel } from '../model.ts';
import { nextState, transitions } from '../states.ts';
import { updateDelivery } from './updateDelivery.ts';

const deletable = transitions.flatMap(({ from, by }) => (by === 'deleteMedia' ? [from] : []));
const pageSize = 50;

/**
 * Deletes every file of an erased account, with its texts. Files in processing fail first. Files in an open case stay
 * until the case is closed.
 */
export async function deleteFilesOf({
  installationId,
  platform,
  userId,
}: InstallationContext & { userId: string }): Promise<void> {
  const media = scoped(MediaModel, installationId);
  const at = new Date(platform.now());
  const own = { 'owner.id': userId, 'legalHolds.0': { $exists: false } };
  const failure = { code: 'owner_gone', detail: 'The account that owned the file was erased.' };
  const failed = nextState('processing', 'mediaFailure', 'ended');
  await media.updateMany(
    { ...own, state: 'processing' },
    { $set: { state: failed, failure, stateAt: at, updatedAt: at }, $inc: { version: 1 } },
  );
  const findPage = () =>
    media.find(
      { ...own, state: { $in: deletable } },
      { projection: { installationId: 1, state: 1 }, sort: { createdAt: -1, _id: -1 }, limit: pageSize },
    );
  for (let page = await findPage(); page.length > 0; page = await findPage())
    for (const record of page) {
      const state = nextState(record.state, 'deleteMedia', 'deleted');
      const said = { filename: 'file', altText: null, usage: [] };
      await media.findOneAndUpdate(
        { _id: record._id, state: record.state },
        {
          $set: { ...said, state, stateAt: at, updatedAt: at },
          $inc: { version: 1 },
          $push: announce({ platform }, 'object.deleted'),
        },
      );
      await updateDelivery(platform, record);
    }
}
