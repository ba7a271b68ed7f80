import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { MediaBlockModel } from '../blockModel.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { nextState } from '../states.ts';
import { originalKey, uploadKey } from '../storageKeys.ts';
import { carryOutBlock } from './carryOutBlock.ts';
import { outdatedDelivery, updateDelivery } from './updateDelivery.ts';

/** Grace period after a link expires, for uploads in transit. */
const graceMs = 10 * 60_000;
const pageSize = 50;

/** Expires missing uploads, deletes the remains of uploads, and completes interrupted blocks. */
export const mediaUpkeep: Job = {
  name: 'identity.media-upkeep',
  everyMs: 60_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      await endUploads(run, id);
      await clearUploads(run, id);
      await finishBlocks(run, id);
      await correctDeliveries(run, id);
    }
  },
};

async function endUploads({ platform }: JobRun, installationId: string): Promise<void> {
  const at = new Date(platform.now());
  await scoped(MediaModel, installationId).updateMany(
    { 'upload.expiresAt': { $lte: at }, state: 'awaiting_upload' },
    {
      $set: {
        state: nextState('awaiting_upload', 'uploadTimeout', 'ended'),
        failure: { code: 'upload_expired', detail: 'The file was never uploaded.' },
        stateAt: at,
        updatedAt: at,
      },
      $inc: { version: 1 },
    },
  );
}

/** Removes uploads of expired links. Their bytes are stored elsewhere or not needed. */
async function clearUploads(run: JobRun, installationId: string): Promise<void> {
  const media = scoped(MediaModel, installationId);
  const over = { 'upload.expiresAt': { $lte: new Date(run.platform.now() - graceMs) } };
  const findPage = () => media.find(over, { sort: { 'upload.expiresAt': 1 }, limit: pageSize });
  for (let page = await findPage(); page.length > 0 && !run.signal.aborted; page = await findPage()) {
    await run.assertHeld();
    for (const record of page) await clearUpload(run, record);
  }
}

/** Removes the bytes before the reference to them, so that an interrupted removal is found again. */
async function clearUpload({ platform }: JobRun, record: MediaRecord): Promise<void> {
  const { _id, installationId, drafts } = record;
  await platform.storage.delete(uploadKey(record));
  for (const name of drafts) await platform.storage.delete(originalKey(installationId, name));
  await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id },
    { $set: { upload: null }, $pull: { drafts: { $in: drafts } } },
  );
}

async function finishBlocks(run: JobRun, installationId: string): Promise<void> {
  const { platform } = run;
  const open = await scoped(MediaBlockModel, installationId).find(
    { settled: false },
    { sort: { _id: 1 }, limit: pageSize },
  );
  for (const { sha256 } of open) {
    await run.assertHeld();
    await carryOutBlock({ installationId, platform }, sha256);
  }
}

/** Corrects deliveries of files whose process ended between the change of state and the update of the store. */
async function correctDeliveries(run: JobRun, installationId: string): Promise<void> {
  const open = await scoped(MediaModel, installationId).find(
    { $or: [...outdatedDelivery.$or] },
    { projection: { installationId: 1 }, sort: { _id: 1 }, limit: pageSize },
  );
  for (const record of open) {
    await run.assertHeld();
    await updateDelivery(run.platform, record);
  }
}
