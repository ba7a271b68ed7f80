import { scoped } from '../../../../platform/installation/scoped.ts';
import { type DueBatch, dueBatchJob } from '../../../../platform/jobs/dueJob.ts';
import { deleteUnused } from '../../../media/removal/deleteUnused.ts';
import { setMediaUsage } from '../../../media/setMediaUsage.ts';
import { filesOf } from '../content/revision.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';

/** Releases the files of listings that were archived long enough ago; files without another use are deleted. */
export const releaseFiles = dueBatchJob({
  name: 'identity.listing-files',
  everyMs: 10 * 60_000,
  model: ListingModel,
  due: 'releaseFilesAt',
  projection: { media: 1, published: 1 },
  // A small batch, because each listing may have thirty files.
  batchSize: 20,
  async work(batch, found) {
    for (const listing of found) await release(batch, listing);
    await scoped(ListingModel, batch.installationId).updateMany(
      { _id: { $in: found.map(({ _id }) => _id) } },
      { $set: { releaseFilesAt: null } },
      { session: batch.session },
    );
  },
});

async function release(
  batch: DueBatch,
  { _id, media, published }: Pick<ListingRecord, '_id' | 'media' | 'published'>,
): Promise<void> {
  const files = filesOf({ media, published });
  if (files.length === 0) return;
  const use = { type: 'listing', id: _id } as const;
  await setMediaUsage(batch, use, { before: files, after: [] }, batch.session);
  await deleteUnused(batch, files, batch.session);
  await scoped(ListingModel, batch.installationId).findOneAndUpdate(
    { _id },
    {
      $set: { media: [], ...(published && { 'published.media': [] }), updatedAt: batch.at },
      $inc: { version: 1 },
    },
    { session: batch.session },
  );
}
