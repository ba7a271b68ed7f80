import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { blockedContent, blockId, MediaBlockModel } from '../blockModel.ts';
import { MediaModel } from '../model.ts';
import { nextState } from '../states.ts';
import { outdatedDelivery, updateDelivery } from './updateDelivery.ts';

const pageSize = 50;

/**
 * Applies a decision about bytes: blocks every file with them, fails those in processing, and stops their delivery. It
 * determines the remaining work itself, so the job can repeat it after an interruption.
 */
export async function carryOutBlock(place: InstallationContext, sha256: string): Promise<void> {
  const { installationId, platform } = place;
  const media = scoped(MediaModel, installationId);
  const _id = blockId(installationId, sha256);
  const blocks = scoped(MediaBlockModel, installationId);
  const decision = await blocks.findOne({ _id });
  if (!decision) return;
  const at = new Date(platform.now());
  const block = { by: decision.by, at: decision.at, reason: decision.reason };
  const moved = { stateAt: at, updatedAt: at };
  const blocked = nextState('ready', 'blockMedia', 'blocked');
  await media.updateMany(
    { sha256, state: 'ready' },
    {
      $set: { state: blocked, block, ...moved },
      $inc: { version: 1 },
      $push: announce({ platform }, 'object.unpublished'),
    },
  );
  const failed = nextState('processing', 'mediaFailure', 'refused');
  await media.updateMany(
    { sha256, state: 'processing' },
    {
      $set: { state: failed, failure: blockedContent, ...moved },
      $inc: { version: 1 },
      $push: announce({ platform }, 'object.updated'),
    },
  );
  await updateDeliveries(place, sha256);
  await blocks.findOneAndUpdate({ _id, at: decision.at }, { $set: { settled: true } });
}

/** Delivers or withholds every file with these bytes, according to its state. */
export async function updateDeliveries(
  { installationId, platform }: InstallationContext,
  sha256: string,
): Promise<void> {
  const media = scoped(MediaModel, installationId);
  const findPage = () =>
    media.find(
      { sha256, $or: [...outdatedDelivery.$or] },
      { projection: { installationId: 1 }, sort: { 'owner.id': 1 }, limit: pageSize },
    );
  for (let page = await findPage(); page.length > 0; page = await findPage())
    for (const record of page) await updateDelivery(platform, record);
}
