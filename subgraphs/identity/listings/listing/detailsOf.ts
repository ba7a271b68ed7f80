import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { ObjectImage, ObjectProduct } from '../../identity.generated.ts';
import { findPicture } from '../catalog/public-listing/findPictures.ts';
import { toPublicAttributes } from '../catalog/public-listing/toCatalogListing.ts';
import { categoryLoader } from '../category/categoryLoader.ts';
import type { Attributes } from '../category/checkAttributes.ts';
import { displayOf } from '../category/displayOf.ts';
import type { Offered } from './record/contentOf.ts';
import type { ListingState } from './record/states.ts';

/** Returns the largest rendition of each image that can be shown. */
export async function imagesOf({ source }: Offered, context: RequestContext): Promise<ObjectImage[]> {
  const files = source.media.filter(({ kind }) => kind === 'image');
  const pictures = await Promise.all(files.map((file) => findPicture(file, context)));
  return pictures.flatMap((picture) => {
    const [largest] = (picture?.renditions ?? []).toSorted((a, b) => b.width - a.width);
    return picture && largest ? [{ src: largest.url, alt: picture.altText ?? null }] : [];
  });
}

/** Returns the members that readers see in addition to the texts, also for a draft. */
export async function productOf(
  { listing, source }: Offered,
  context: RequestContext,
): Promise<ObjectProduct> {
  const category = source.categoryId ? await context.loader(categoryLoader).load(source.categoryId) : null;
  const { open, masked }: { open: Attributes; masked: Attributes } = category
    ? toPublicAttributes(source.attributes, category)
    : { open: {}, masked: {} };
  const city = listing.location?.city;
  return {
    type: category?.attributeSchema?.productType ?? null,
    brand: textOf(open.make),
    vin: textOf(masked.vin ?? open.vin),
    price: listing.priceType === 'on_request' ? null : listing.price,
    availability: availabilityOf(listing.state),
    attributes: { ...open, ...(city && { city }) },
    attributeDisplay: displayOf(category?.attributeSchema ?? null, open),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function availabilityOf(state: ListingState): string {
  if (state === 'sold') return 'SoldOut';
  return state === 'reserved' ? 'Reserved' : 'InStock';
}
