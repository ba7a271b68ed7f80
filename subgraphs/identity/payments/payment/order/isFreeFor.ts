import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { ListingRecord } from '../../../listings/listing/record/model.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';
import { standing } from '../record/standing.ts';

/**
 * Returns whether a payer may pay for a listing. It must be active, or reserved for this payer, without a payment that
 * stands: a rejected listing that is published again is active although a payment for it stands. Only a purchase may
 * follow another payment, a deposit of the same payer.
 */
export async function isFreeFor(
  { _id, payer, purpose }: Pick<PaymentRecord, 'payer' | 'purpose'> & { _id?: string },
  listing: Pick<ListingRecord, '_id' | 'installationId' | 'state' | 'reservation'>,
  options: { session?: ClientSession } = {},
): Promise<boolean> {
  const { state, reservation } = listing;
  const isReservedForPayer = state === 'reserved' && reservation?.buyerUserId === payer.userId;
  if (state !== 'active' && !isReservedForPayer) return false;
  const followed = [
    ...(_id === undefined ? [] : [{ _id }]),
    { purpose: 'promotion' as const },
    ...(purpose === 'purchase' ? [{ purpose: 'deposit' as const, 'payer.userId': payer.userId }] : []),
  ];
  const obstacle = { listingId: listing._id, ...standing, $nor: followed };
  return (await scoped(PaymentModel, listing.installationId).count(obstacle, { ...options, limit: 1 })) === 0;
}
