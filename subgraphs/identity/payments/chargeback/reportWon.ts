import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { disputedCode } from '../payment-provider/ProviderFailure.ts';
import { RefundModel } from '../refund/record/model.ts';

/**
 * Logs that the payer is still owed the refund of a lost dispute. The provider refuses refunds of a charged-back
 * payment, so the refund was canceled. The bank has now returned the money to the dealer.
 */
export async function reportOwedRefund(
  { installationId, platform }: MoneyContext,
  paymentId: string,
): Promise<void> {
  const refund = await scoped(RefundModel, installationId).findOne({
    paymentId,
    disputeId: { $ne: null },
    state: 'canceled',
    failureCode: disputedCode,
  });
  if (!refund) return;
  const { _id: refundId, disputeId, amount, currency } = refund;
  platform.log.error(
    { paymentId, disputeId, refundId, amount, currency },
    'chargeback won: the payer is owed what the dispute lost, refund it',
  );
}
