import type { ClientSession } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { MediaModel } from '../../media/model.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { publishEachToCatalog } from '../catalog/public-listing/publishToCatalog.ts';
import { CategoryModel, type CategoryRecord } from '../category/model.ts';
import { filesOf, pickContent } from '../listing/content/revision.ts';
import { decideContent } from '../listing/lifecycle/decideContent.ts';
import { changedMeanwhile, toUpdate } from '../listing/lifecycle/saveListing.ts';
import { asOfNow } from '../listing/record/asOfNow.ts';
import { ListingModel, type ListingRecord, type StoredListingMedia } from '../listing/record/model.ts';
import { publicStates } from '../listing/record/states.ts';
import { type StockImageParent, StockImagesModel, type StockImagesRecord } from './model.ts';

/**
 * Assigns fetched images to their listing, in the order of its stock row, and replaces the existing ones. Images that
 * could not be fetched are omitted. If none could be fetched, the listing keeps its images.
 *
 * @returns false while some images are still being processed
 */
export async function assignFetchedImages(
  platform: Platform,
  record: StockImagesRecord,
  images: readonly StockImageParent[],
): Promise<boolean> {
  const { installationId } = record;
  const ids = images.flatMap(({ mediaId }) => mediaId ?? []);
  const found = await reads(MediaModel, installationId).find(
    { _id: { $in: ids } },
    { projection: { state: 1, failure: 1 } },
  );
  const byId = new Map(found.map((file) => [file._id, file]));
  const isOpen = ({ mediaId }: StockImageParent) =>
    ['awaiting_upload', 'processing'].includes(byId.get(mediaId ?? '')?.state ?? '');
  if (images.some(isOpen)) return false;
  const settled = images.map((image): StockImageParent => {
    if (image.state === 'failed') return image;
    const file = byId.get(image.mediaId ?? '');
    if (file?.state === 'ready') return { ...image, state: 'taken', failure: null };
    const failure = file?.failure ?? { code: 'not_found', detail: 'The file was removed.' };
    return { ...image, state: 'failed', failure: { code: failure.code, detail: failure.detail } };
  });
  await inTransaction((session) => assignImages(platform, record, settled, session));
  return true;
}

async function assignImages(
  platform: Platform,
  { _id, installationId, revision, images: before }: StockImagesRecord,
  images: StockImageParent[],
  session: ClientSession,
): Promise<void> {
  const records = scoped(StockImagesModel, installationId);
  const held = await records.findOneAndUpdate(
    { _id, revision, dueAt: { $ne: null } },
    { $set: { images, dueAt: null } },
    { session },
  );
  // Other images have been requested meanwhile, or this was already done.
  if (!held) return;
  const stored = await scoped(ListingModel, installationId).findOne({ _id }, { session });
  if (!stored) {
    await records.deleteMany({ _id }, { session });
    return;
  }
  const taken = images.flatMap(({ state, mediaId }) => (state === 'taken' && mediaId ? [mediaId] : []));
  if (taken.length === 0 && before.length > 0) return;
  await give(platform, stored, taken, session);
}

/** Assigns the images. A sold or archived listing keeps its own. */
async function give(
  platform: Platform,
  stored: ListingRecord,
  mediaIds: readonly string[],
  session: ClientSession,
): Promise<void> {
  const { installationId } = stored;
  const installation = platform.installations.findById(installationId);
  if (!installation) return;
  const listing = asOfNow(stored, platform.now());
  const known = new Map(listing.media.map((file) => [file.mediaId, file]));
  const media = mediaIds.map(
    (mediaId): StoredListingMedia => known.get(mediaId) ?? { mediaId, kind: 'image', altText: null },
  );
  const category = await findCategory(installationId, listing.categoryId, session);
  const changes = decide(() =>
    decideContent(listing, { ...pickContent(listing), media }, category, { installation }),
  );
  if (!changes) return;
  const update = toUpdate({ platform }, stored, changes);
  const filter = { _id: stored._id, version: stored.version };
  const after = await scoped(ListingModel, installationId).findOneAndUpdate(filter, update, { session });
  if (!after) throw changedMeanwhile();
  const files = { before: filesOf(stored), after: filesOf(after) };
  await setMediaUsage({ installationId, platform }, { type: 'listing', id: stored._id }, files, session);
  if (!publicStates.has(after.state)) return;
  const seller = await reads(DealerModel, installationId).findOne({ _id: stored.owner.id }, { session });
  const shown = await findCategory(installationId, after.published?.categoryId ?? null, session);
  const sources = shown && seller ? { category: shown, seller } : null;
  // The copy exists and keeps its flag for a barred owner.
  await publishEachToCatalog([{ listing: after, sources }], { session, withdrawn: false });
}

async function findCategory(
  installationId: string,
  _id: string | null,
  session: ClientSession,
): Promise<CategoryRecord | null> {
  return _id === null ? null : scoped(CategoryModel, installationId).findOne({ _id }, { session });
}

/** Returns a decision; null if the listing's state does not allow it. */
function decide<T>(decision: () => T): T | null {
  try {
    return decision();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
