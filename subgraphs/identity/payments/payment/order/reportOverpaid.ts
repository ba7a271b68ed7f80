import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { amountLeft } from '../record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';
import { standing } from '../record/standing.ts';
import { findDeposits } from './deposits.ts';

/**
 * Logs that a payer pays more than the price of a listing. The purchase did not subtract a deposit that was being returned,
 * and the deposit then stayed with the dealer. Called in the transaction in which it does.
 */
export async function reportOverpaid(
  { installationId, platform }: MoneyContext,
  deposit: PaymentRecord,
  session: ClientSession,
): Promise<void> {
  const { _id: paymentId, purpose, listingId, payer, currency } = deposit;
  if (purpose !== 'deposit') return;
  const purchase = await scoped(PaymentModel, installationId).findOne(
    { listingId, 'payer.userId': payer.userId, purpose: 'purchase', currency, ...standing },
    { session },
  );
  if (!purchase) return;
  const { paid } = await findDeposits(installationId, deposit, { session });
  const amount = Math.min(paid - (purchase.depositsDeducted ?? 0), amountLeft(deposit));
  if (amount <= 0) return;
  platform.log.error(
    { paymentId, purchaseId: purchase._id, amount, currency },
    'payer pays more than the price: the purchase did not subtract this deposit, refund it',
  );
}
