import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { ownerLoader } from '../owner/ownerLoader.ts';
import type { ListingRecord } from './model.ts';
import { canReadDraft, isPublished } from './policy.ts';

/** Whether the public sees a listing: it is published, and its owner is not barred. One command for many listings. */
export async function isShown(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  if (!isPublished(listing)) return false;
  const owner = await context.loader(ownerLoader).load(listing.owner.id);
  return owner?.withdrawn !== true;
}

/** Whether the viewer may read a listing: as its owner, as staff, or as anybody. */
export async function mayRead(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  return canReadDraft(context.viewer, listing) || (await isShown(listing, context));
}
