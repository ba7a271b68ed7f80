import type { ClientSession } from 'mongoose';
import { reads } from '../../../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord } from '../../../people/dealer/model.ts';
import type { ListingRecord } from './model.ts';

/**
 * Returns the dealer that owns a listing, read in the transaction, because it may have been suspended since a loader
 * read it. Null for a private listing.
 */
export async function findOwningDealer(
  { owner, installationId }: Pick<ListingRecord, 'owner' | 'installationId'>,
  session: ClientSession,
): Promise<DealerRecord | null> {
  if (owner.type !== 'dealer') return null;
  return reads(DealerModel, installationId).findOne({ _id: owner.id }, { session });
}
