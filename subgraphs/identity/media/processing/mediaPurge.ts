import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { withheldKey } from '../../../platform/storage/publicFile.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { nextState } from '../states.ts';
import { originalKey, renditionKey, uploadKey } from '../storageKeys.ts';

/** Period in which a deleted file can be restored manually, and a failed one examined. */
const keptMs = 30 * dayMs;
const pageSize = 50;

/**
 * Removes the bytes of files that were deleted or failed 30 days ago, except under a legal hold. The state is written
 * after the bytes are removed, so an interrupted run is repeated. The record keeps the owner and the digest, so that a
 * decision about the bytes still applies.
 */
export const mediaPurge: Job = {
  name: 'identity.media-purge',
  everyMs: hourMs,
  async run(run) {
    for (const { id } of run.platform.installations.all) {
      await forEachOld(run, id, { state: 'deleted' }, purge);
      await forEachOld(run, id, { state: 'failed', original: { $ne: null } }, removeBytes);
    }
  },
};

type Old = { state: 'deleted' } | { state: 'failed'; original: { $ne: null } };

/** Processes old files page by page. Processed records no longer match, so the first page is always a new one. */
async function forEachOld(
  run: JobRun,
  installationId: string,
  filter: Old,
  work: (run: JobRun, record: MediaRecord) => Promise<void>,
): Promise<void> {
  const media = scoped(MediaModel, installationId);
  for (;;) {
    const until = new Date(run.platform.now() - keptMs);
    const page = await media.find(
      { ...filter, legalHolds: { $size: 0 }, stateAt: { $lte: until } },
      { sort: { stateAt: 1, _id: 1 }, limit: pageSize },
    );
    for (const record of page) {
      if (run.signal.aborted) return;
      await run.assertHeld();
      await work(run, record);
    }
    if (page.length < pageSize) return;
  }
}

async function purge(run: JobRun, record: MediaRecord): Promise<void> {
  const { _id, installationId } = record;
  const { storage, now } = run.platform;
  await removeBytes(run, record);
  const at = new Date(now());
  const state = nextState('deleted', 'mediaPurge', 'purged');
  const nothing = { altText: null, blurHash: null, dominantColor: null, focalPoint: null, failure: null };
  await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id, state: 'deleted' },
    {
      $set: { ...nothing, state, filename: 'purged', stateAt: at, updatedAt: at },
      $inc: { version: 1 },
    },
  );
  // No remaining file needs the marker that withholds its links.
  await storage.delete(withheldKey(installationId, _id));
}

/** Removes everything of the record from the store. An original is removed only with the last record that uses it. */
async function removeBytes({ platform }: JobRun, record: MediaRecord): Promise<void> {
  const { _id, installationId, original, drafts, renditions, strays } = record;
  const media = scoped(MediaModel, installationId);
  for (const file of [...renditions, ...strays]) await platform.storage.delete(renditionKey(record, file));
  for (const draft of drafts) await platform.storage.delete(originalKey(installationId, draft));
  await platform.storage.delete(uploadKey(record));
  if (original !== null && (await isLast(record, original)))
    await platform.storage.delete(originalKey(installationId, original));
  await media.findOneAndUpdate(
    { _id },
    { $set: { original: null, drafts: [], renditions: [], strays: [], upload: null } },
  );
}

/**
 * Returns whether no other record uses the original. New files share only bytes of files in use, not of deleted or
 * failed ones.
 */
async function isLast({ _id, installationId }: MediaRecord, original: string): Promise<boolean> {
  const others = { original, _id: { $ne: _id } };
  return (await scoped(MediaModel, installationId).count(others, { limit: 1 })) === 0;
}
