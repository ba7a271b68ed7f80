import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { ListingRecord } from '../../../listings/listing/record/model.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';

/**
 * Returns whether a payer may pay for a listing. It must be free, held by this payment, or held for this payer by
 * anything but a purchase, which is paid once. A deposit is also paid once: while one holds the listing, only a
 * purchase can follow it.
 */
export async function isFreeFor(
  { _id, payer, purpose }: Pick<PaymentRecord, 'payer' | 'purpose'> & { _id?: string },
  { installationId, state, reservation }: Pick<ListingRecord, 'installationId' | 'state' | 'reservation'>,
  options: { session?: ClientSession } = {},
): Promise<boolean> {
  if (state === 'active') return true;
  if (state !== 'reserved' || reservation?.buyerUserId !== payer.userId) return false;
  if (reservation.paymentId === null || reservation.paymentId === _id) return true;
  if (purpose === 'deposit') return false;
  const holding = { _id: reservation.paymentId, purpose: 'purchase' as const };
  return (await scoped(PaymentModel, installationId).findOne(holding, options)) === null;
}
