import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../../platform/context/recordLoader.ts';
import { onlyReads } from '../../../kernel/dealer-standing/assertMayChange.ts';
import { OwnerModel } from '../../../people/seller-standing/model.ts';
import type { ListingRecord } from './model.ts';
import { canReadDraft, isPublished } from './policy.ts';

const ownerLoader = recordLoader(OwnerModel);

/**
 * Returns whether the public sees a listing: it is published, and its owner is not barred. Many listings are one
 * command. Listings of the viewer's own dealer need none, because the write that bars or closes the dealer hides them.
 */
export async function isShown(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  if (!isPublished(listing)) return false;
  const { viewerOrNull: viewer } = context;
  if (viewer?.membershipOf(listing.owner.id)) return !onlyReads(viewer, listing.owner.id);
  const owner = await context.loader(ownerLoader).load(listing.owner.id);
  return owner?.withdrawn !== true;
}

/** Returns whether the viewer may read a listing: as its owner, as staff, or because it is public. */
export async function mayRead(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  return canReadDraft(context.viewer, listing) || (await isShown(listing, context));
}
