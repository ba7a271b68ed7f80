import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { Platform } from '../../../platform/context/Platform.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import { assertFetchable } from '../../../platform/http/openUrl.ts';
import { type EachWrite, scoped } from '../../../platform/installation/scoped.ts';
import { type StockImageParent, StockImagesModel, type StockImagesRecord } from './model.ts';

/** Name of the job that fetches images. */
export const stockImagesJob = 'identity.stock-images';

const mostImages = 30;

/** Returns the errors in the text of image URLs. Their targets are checked when they are fetched. */
export function* checkImageUrls(
  urls: readonly string[],
  { allowPrivateIssuers }: Pick<Platform, 'allowPrivateIssuers'>,
): Generator<FieldProblem> {
  if (urls.length > mostImages)
    yield {
      pointer: '#/imageUrls',
      code: 'too_many_media',
      detail: `A listing must have at most ${mostImages} files.`,
    };
  for (const [index, url] of urls.entries()) {
    try {
      assertFetchable(new URL(url), allowPrivateIssuers);
    } catch {
      yield problem(
        `#/imageUrls/${index}`,
        'An image URL must use https, contain no credentials and lead to a public address.',
      );
    }
  }
}

/** Requests images for a listing. */
interface ImageRequest {
  listingId: string;
  urls: readonly string[];
}

/**
 * Records the images that listings need, in the transaction that writes the listings. Fetched images are kept; failed
 * ones are tried again.
 */
export async function requestImages(
  { installationId, platform, dealerId }: { installationId: string; platform: Platform; dealerId: string },
  requests: readonly ImageRequest[],
  session: ClientSession,
): Promise<void> {
  if (requests.length === 0) return;
  const records = scoped(StockImagesModel, installationId);
  const ids = requests.map(({ listingId }) => listingId);
  const found = await records.find({ _id: { $in: ids } }, { session });
  const byId = new Map(found.map((record) => [record._id, record.images]));
  const dueAt = new Date(platform.now());
  const writes = requests.flatMap(({ listingId: _id, urls }): EachWrite<StockImagesRecord>[] => {
    const before = byId.get(_id);
    const images = plan(before ?? [], [...new Set(urls)]);
    if (before ? isSame(before, images) : images.length === 0) return [];
    const update = { $set: { dealerId, images, dueAt }, $inc: { revision: 1 } };
    return [{ filter: { _id }, update, upsert: true }];
  });
  await records.writeEach(writes, { session });
  if (writes.length > 0) platform.signals.send(stockImagesJob, { session });
}

function plan(before: readonly StockImageParent[], urls: readonly string[]): StockImageParent[] {
  const byUrl = new Map(before.map((image) => [image.url, image]));
  return urls.map((url) => {
    const known = byUrl.get(url);
    if (known && known.state !== 'failed') return known;
    return {
      url,
      round: known ? known.round + 1 : 1,
      state: 'pending',
      mediaId: null,
      failure: null,
      attempts: 0,
    };
  });
}

function isSame(before: readonly StockImageParent[], after: readonly StockImageParent[]): boolean {
  return before.length === after.length && before.every((image, index) => image === after[index]);
}
