import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { CatalogImage } from '../../../identity.generated.ts';
import { toRenditions } from '../../../media/delivery/toRenditions.ts';
import { mediaLoader } from '../../../media/mediaLoader.ts';
import { isPublic } from '../../../media/policy.ts';
import type { StoredListingMedia } from '../../listing/record/model.ts';
import type { CatalogListingRecord } from './model.ts';

type Pictured = Pick<CatalogListingRecord, 'media'>;

/**
 * The pictures of a published listing. A file that was blocked, or that is not ready yet, is left out by its own state:
 * the copy need not know.
 */
export async function findPictures(
  listing: Pictured,
  _: unknown,
  context: RequestContext,
): Promise<CatalogImage[]> {
  const found = await Promise.all(picturesOf(listing).map((file) => findPicture(file, context)));
  return found.filter((picture) => picture !== null);
}

/** The first picture that can be shown: of a page of listings one each is loaded, hardly ever a second one. */
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

/** A public picture; null for one that does not exist, or no longer. */
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
