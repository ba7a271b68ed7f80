import pLimit from 'p-limit';
import { AppError } from '../../../platform/errors/AppError.ts';
import { repeatableId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { createMediaFromStream } from '../../media/upload/createMediaFromStream.ts';
import { assignFetchedImages } from './assignFetchedImages.ts';
import { fetchImage } from './fetchImage.ts';
import { type StockImageParent, StockImagesModel, type StockImagesRecord } from './model.ts';
import { stockImagesJob } from './requestImages.ts';

const pageSize = 20;
/** Number of listings whose images are fetched concurrently; the images of one listing are fetched in sequence. */
const atOnce = 4;
const mostAttempts = 5;
const firstRetryMs = 60_000;
/** Polling interval in milliseconds. Processing takes a while and publishes no event when it is done. */
const lookAgainMs = 2000;

/** Fetches the images that stock rows name, and assigns them to their listings once they are ready. */
export const stockImages: Job = {
  name: stockImagesJob,
  everyMs: 30_000,
  async run(run) {
    const failures: unknown[] = [];
    for (const { id } of run.platform.installations.all) await workOff(run, id, failures);
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} listings failed.`);
  },
};

/** Processes each due record once in a run. A failed record does not prevent the others. */
async function workOff(run: JobRun, installationId: string, failures: unknown[]): Promise<void> {
  const begun = new Date(run.platform.now());
  const due = scoped(StockImagesModel, installationId);
  for (let count = pageSize; count === pageSize && !run.signal.aborted; ) {
    await run.assertHeld();
    const page = await due.find({ dueAt: { $lte: begun } }, { sort: { dueAt: 1, _id: 1 }, limit: pageSize });
    count = page.length;
    await pLimit(atOnce).map(page, async (record) => {
      if (run.signal.aborted) return;
      await workOn(run, record).catch(async (error: unknown) => {
        failures.push(error);
        await postpone(run, record, record.images, firstRetryMs);
      });
    });
  }
}

async function workOn(run: JobRun, record: StockImagesRecord): Promise<void> {
  const images: StockImageParent[] = [];
  for (const image of record.images) {
    if (run.signal.aborted) return;
    images.push(image.state === 'pending' && !image.mediaId ? await fetchOne(run, record, image) : image);
  }
  const waiting = images.filter(({ state, mediaId }) => state === 'pending' && !mediaId);
  if (waiting.length > 0) {
    const attempts = Math.max(...waiting.map((image) => image.attempts));
    return postpone(run, record, images, firstRetryMs * 2 ** (attempts - 1));
  }
  const settled = await assignFetchedImages(run.platform, record, images);
  if (settled) return;
  await postpone(run, record, images, lookAgainMs);
  run.platform.signals.send(stockImagesJob, { afterMs: lookAgainMs });
}

/** Fetches one image. The id is derived from the source, so a repeated run finds the file of the previous run. */
async function fetchOne(
  { platform, signal }: JobRun,
  { _id, installationId, dealerId }: StockImagesRecord,
  image: StockImageParent,
): Promise<StockImageParent> {
  const { url, round } = image;
  try {
    const { bytes, contentType, close } = await fetchImage(url, platform.allowPrivateIssuers);
    try {
      const media = await createMediaFromStream(
        { installationId, platform },
        {
          id: repeatableId('media', installationId, _id, url, String(round)),
          owner: { type: 'dealer', id: dealerId },
          purpose: 'listing',
          filename: fileNameOf(url),
          contentType,
          bytes,
          signal,
        },
      );
      return { ...image, mediaId: media._id };
    } finally {
      await close();
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(image, error);
  }
}

/** Returns the last part of its path, if it can be decoded. */
function fileNameOf(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function failed(image: StockImageParent, error: unknown): StockImageParent {
  const attempts = image.attempts + 1;
  const detail = error instanceof Error ? error.message : 'The image could not be fetched.';
  if (error instanceof AppError)
    return { ...image, attempts, state: 'failed', failure: { code: error.code, detail } };
  // An address that is not public is not requested again.
  const isFinal = attempts >= mostAttempts || /not public|https URL/.test(detail);
  return {
    ...image,
    attempts,
    state: isFinal ? 'failed' : 'pending',
    failure: { code: 'fetch_failed', detail },
  };
}

/** Postpones the work. The write is conditional, so that a newer request for images is not overwritten. */
async function postpone(
  { platform }: JobRun,
  { _id, installationId, revision }: StockImagesRecord,
  images: readonly StockImageParent[],
  waitMs: number,
): Promise<void> {
  const dueAt = new Date(platform.now() + waitMs);
  await scoped(StockImagesModel, installationId).findOneAndUpdate(
    { _id, revision },
    { $set: { images: [...images], dueAt } },
  );
}
