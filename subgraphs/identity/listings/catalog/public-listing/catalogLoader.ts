import DataLoader from 'dataloader';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { findByIds } from '../../../../platform/context/recordLoader.ts';
import { isId } from '../../../../platform/ids/newId.ts';
import type { CatalogListingRecord } from './model.ts';
import { shownListings } from './shownListings.ts';

const slugPattern = /^[a-z0-9-]{1,120}$/;

/** Returns a loader of published listings by id; null if a listing is not published. */
export function catalogLoader(context: RequestContext): DataLoader<string, CatalogListingRecord | null> {
  return new DataLoader((ids) => findByIds(shownListings(context), ids, { type: 'listing' }));
}

/** Returns a published listing by id or slug. */
export async function findPublished(
  idOrSlug: string,
  context: RequestContext,
): Promise<CatalogListingRecord | null> {
  if (isId('listing', idOrSlug)) return context.loader(catalogLoader).load(idOrSlug);
  if (!slugPattern.test(idOrSlug)) return null;
  return shownListings(context).findOne({ slug: idOrSlug });
}
