import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { deleteUnused } from '../media/deleteUnused.ts';
import { setMediaUsage } from '../media/setMediaUsage.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { filesOf } from './revision.ts';

/** Few: each of them may have thirty files. */
const batchSize = 20;

/** Lets go of the files of listings that were put away long enough ago; those that serve nothing else are deleted. */
export const releaseFiles: Job = {
  name: 'identity.listing-files',
  everyMs: 10 * 60_000,
  run: (run) =>
    drainEach(run, batchSize, ({ id }) =>
      inTransaction((session) => releaseBatch(run, id, new Date(run.platform.now()), session)),
    ),
};

async function releaseBatch(
  { platform }: JobRun,
  installationId: string,
  at: Date,
  session: ClientSession,
): Promise<number> {
  const listings = scoped(ListingModel, installationId);
  const found = await listings.find(
    { releaseFilesAt: { $lte: at, $type: 'date' } },
    {
      projection: { media: 1, published: 1 },
      sort: { releaseFilesAt: 1, _id: 1 },
      limit: batchSize,
      session,
    },
  );
  for (const listing of found) await release(listing, { installationId, platform, at, session });
  const ids = found.map(({ _id }) => _id);
  if (ids.length > 0)
    await listings.updateMany({ _id: { $in: ids } }, { $set: { releaseFilesAt: null } }, { session });
  return ids.length;
}

async function release(
  { _id, media, published }: Pick<ListingRecord, '_id' | 'media' | 'published'>,
  {
    installationId,
    platform,
    at,
    session,
  }: Pick<JobRun, 'platform'> & { installationId: string; at: Date; session: ClientSession },
): Promise<void> {
  const files = filesOf({ media, published });
  if (files.length === 0) return;
  const use = { type: 'listing', id: _id } as const;
  await setMediaUsage({ installationId, platform }, use, { before: files, after: [] }, session);
  await deleteUnused({ installationId, at }, files, session);
  await scoped(ListingModel, installationId).findOneAndUpdate(
    { _id },
    {
      $set: { media: [], ...(published && { 'published.media': [] }), updatedAt: at },
      $inc: { version: 1 },
    },
    { session },
  );
}
