import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { saveListing } from './lifecycle/saveListing.ts';
import { findOwningDealer } from './record/findOwningDealer.ts';
import { ListingModel, type MaterialContent } from './record/model.ts';

/**
 * Removes a file from a listing in any state, and from its public copy, within the transaction that deletes the file. A
 * removal needs no review.
 */
export async function detachFile(
  context: RequestContext,
  mediaId: string,
  listingId: string,
  session: ClientSession,
): Promise<void> {
  const listings = scoped(ListingModel, context.installationId);
  const before = await listings.findOne({ _id: listingId }, { session });
  if (!before) return;
  const without = ({ media }: Pick<MaterialContent, 'media'>) => ({
    media: media.filter((file) => file.mediaId !== mediaId),
  });
  const published = before.published && { ...before.published, ...without(before.published) };
  const dealer = await findOwningDealer(before, session);
  await saveListing(context, before, { ...without(before), published }, { session, dealer });
}
