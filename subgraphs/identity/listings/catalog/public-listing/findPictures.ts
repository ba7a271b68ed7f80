import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { CatalogImage } from '../../../identity.generated.ts';
import { toRenditions } from '../../../media/delivery/toRenditions.ts';
import { mediaLoader } from '../../../media/mediaLoader.ts';
import { isPublic } from '../../../media/policy.ts';
import type { StoredListingMedia } from '../../listing/record/model.ts';
import type { CatalogListingRecord } from './model.ts';

type Pictured = Pick<CatalogListingRecord, 'media'>;

/**
 * Returns the images of a published listing. A blocked or unprocessed file is omitted by its own state, which the copy
 * does not store.
 */
export async function findPictures(
  listing: Pictured,
  _: unknown,
  context: RequestContext,
): Promise<CatalogImage[]> {
  const found = await Promise.all(picturesOf(listing).map((file) => findPicture(file, context)));
  return found.filter((picture) => picture !== null);
}

/**
 * Returns the first image that can be shown. For a page of listings, one file each is loaded; a second one is rarely
 * needed.
 */
export async function findCover(
  listing: Pictured,
  _: unknown,
  context: RequestContext,
): Promise<CatalogImage | null> {
  for (const file of picturesOf(listing)) {
    const picture = await findPicture(file, context);
    if (picture) return picture;
  }
  return null;
}

function picturesOf({ media }: Pictured): StoredListingMedia[] {
  return media.filter(({ kind }) => kind === 'image');
}

/** Returns a public image; null if it does not exist or is no longer public. */
export async function findPicture(
  { mediaId, altText }: Pick<StoredListingMedia, 'mediaId' | 'altText'>,
  context: RequestContext,
): Promise<CatalogImage | null> {
  const record = await context.loader(mediaLoader).load(mediaId);
  if (!record || !isPublic(record)) return null;
  const { width, height, blurHash, dominantColor, focalPoint } = record;
  return {
    altText: altText ?? record.altText,
    width,
    height,
    blurHash,
    dominantColor,
    focalPoint,
    renditions: toRenditions(record, context),
  };
}
