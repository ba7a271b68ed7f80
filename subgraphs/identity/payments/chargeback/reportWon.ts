import { scoped } from '../../../platform/installation/scoped.ts';
import { DisputeModel } from '../dispute/record/model.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { PaymentRecord } from '../payment/record/model.ts';
import { disputedCode } from '../payment-provider/ProviderFailure.ts';
import { RefundModel } from '../refund/record/model.ts';
import { chargebacksName } from './model.ts';

/** Logs what finance has to decide after a bank has returned the money of a chargeback to the dealer. */
export async function reportWon(
  scope: MoneyContext,
  payment: Pick<PaymentRecord, '_id' | 'disputeId'>,
): Promise<void> {
  await reportOwedRefunds(scope, payment);
  await reportUndecidedDispute(scope, payment);
}

/** Logs that the payer is still owed refunds that the provider refused because of the chargeback, and that were canceled. */
async function reportOwedRefunds(
  { installationId, platform }: MoneyContext,
  { _id: paymentId }: Pick<PaymentRecord, '_id'>,
): Promise<void> {
  const refunds = await scoped(RefundModel, installationId).find(
    { paymentId, state: 'canceled', failureCode: disputedCode },
    { sort: { createdAt: 1, _id: 1 } },
  );
  for (const { _id: refundId, disputeId, amount, currency } of refunds)
    platform.log.error(
      { paymentId, disputeId, refundId, amount, currency },
      'chargeback won: the payer is owed a refund that it canceled, refund it',
    );
}

/**
 * Logs that the chargeback ended a dispute that the staff had not decided. The payer cannot open another one, and has no
 * money from it.
 */
async function reportUndecidedDispute(
  { installationId, platform }: MoneyContext,
  { _id: paymentId, disputeId }: Pick<PaymentRecord, '_id' | 'disputeId'>,
): Promise<void> {
  if (disputeId === null) return;
  const ended = { _id: disputeId, 'outcome.by': chargebacksName };
  if ((await scoped(DisputeModel, installationId).count(ended, { limit: 1 })) === 0) return;
  platform.log.error(
    { paymentId, disputeId },
    'chargeback won: the dispute that it ended was not decided, refund the payment if the payer is right',
  );
}
