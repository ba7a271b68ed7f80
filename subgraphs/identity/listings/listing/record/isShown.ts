import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../../platform/context/recordLoader.ts';
import { onlyReads } from '../../../kernel/dealer-standing/assertMayChange.ts';
import { OwnerModel } from '../../../people/seller-standing/model.ts';
import type { ListingRecord } from './model.ts';
import { canReadDraft, isPublished } from './policy.ts';

const ownerLoader = recordLoader(OwnerModel);

/**
 * Whether the public sees a listing: it is published, and its owner is not barred. One command for many listings; none for
 * those of the viewer's own dealer, whose listings are kept from the public in the write that bars or closes it.
 */
export async function isShown(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  if (!isPublished(listing)) return false;
  const { viewerOrNull: viewer } = context;
  if (viewer?.membershipOf(listing.owner.id)) return !onlyReads(viewer, listing.owner.id);
  const owner = await context.loader(ownerLoader).load(listing.owner.id);
  return owner?.withdrawn !== true;
}

/** Whether the viewer may read a listing: as its owner, as staff, or because it is public. */
export async function mayRead(listing: ListingRecord, context: RequestContext): Promise<boolean> {
  return canReadDraft(context.viewer, listing) || (await isShown(listing, context));
}
