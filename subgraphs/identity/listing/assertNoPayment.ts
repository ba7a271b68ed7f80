import { AppError } from '../../platform/errors/AppError.ts';
import type { ListingRecord } from './model.ts';

/** @throws AppError `reserved_with_payment` while a payment holds the reservation of a listing */
export function assertNoPayment({ reservation }: Pick<ListingRecord, 'reservation'>): void {
  if (!reservation?.paymentId) return;
  throw new AppError('reserved_with_payment', 'A payment holds this reservation: it ends with the payment.');
}
