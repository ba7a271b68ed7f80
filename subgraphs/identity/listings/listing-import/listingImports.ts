import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { FeedUploadModel, ListingImportModel } from './model.ts';
import { feedKey } from './openFeedUpload.ts';
import { runImport } from './runImport.ts';
import { listingImportsJob } from './startListingImport.ts';

const pageSize = 50;

/** Processes feeds, one after the other, and removes unused bytes. */
export const listingImports: Job = {
  name: listingImportsJob,
  everyMs: 30_000,
  async run(run) {
    const failures: unknown[] = [];
    for (const { id } of run.platform.installations.all) {
      await runOpen(run, id, failures);
      await removeOver(run, id);
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} imports failed.`);
  },
};

/** Runs open imports. A failed import does not prevent the others. */
async function runOpen(run: JobRun, installationId: string, failures: unknown[]): Promise<void> {
  const imports = scoped(ListingImportModel, installationId);
  for (let after = ''; !run.signal.aborted; ) {
    const page = await imports.find(
      { state: { $in: ['queued', 'running'] }, _id: { $gt: after } },
      { sort: { _id: 1 }, limit: pageSize },
    );
    for (const record of page) {
      if (run.signal.aborted) return;
      await runImport(run, record).catch((error: unknown) => failures.push(error));
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}

/**
 * Removes finished imports. The bytes are deleted first, so the removal is repeated after a crash. Bytes of an open
 * import are kept.
 */
async function removeOver({ platform, signal, assertHeld }: JobRun, installationId: string): Promise<void> {
  const uploads = scoped(FeedUploadModel, installationId);
  const open = await scoped(ListingImportModel, installationId).find(
    { state: { $in: ['queued', 'running'] } },
    { projection: { uploadId: 1 } },
  );
  const kept = open.map(({ uploadId }) => uploadId);
  for (let size = pageSize; size === pageSize && !signal.aborted; ) {
    const over = await uploads.find(
      { expiresAt: { $lte: new Date(platform.now()) }, _id: { $nin: kept } },
      { sort: { expiresAt: 1, _id: 1 }, limit: pageSize },
    );
    await assertHeld();
    for (const { _id } of over) await platform.storage.delete(feedKey(installationId, _id));
    if (over.length > 0) await uploads.deleteMany({ _id: { $in: over.map(({ _id }) => _id) } });
    size = over.length;
  }
}
