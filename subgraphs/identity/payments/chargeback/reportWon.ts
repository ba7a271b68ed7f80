import { scoped } from '../../../platform/installation/scoped.ts';
import { DisputeModel } from '../dispute/record/model.ts';
import { amountsOf } from '../ledger/accounts.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import type { PaymentRecord } from '../payment/record/model.ts';
import { disputedCode } from '../payment-provider/ProviderFailure.ts';
import { RefundModel } from '../refund/record/model.ts';
import { type ChargebackRecord, chargebacksName } from './model.ts';

/** Logs what finance has to decide after a bank has returned the money of a chargeback to the dealer. */
export async function reportWon(
  scope: MoneyContext,
  payment: Pick<PaymentRecord, '_id' | 'disputeId'>,
  chargeback: ChargebackRecord,
): Promise<void> {
  await reportOwedRefunds(scope, payment);
  await reportUndecidedDispute(scope, payment, chargeback);
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
 * Logs that the chargeback ended a dispute that the staff had not decided, or reduced one that is not decided for the
 * dealer. The payer cannot open another one, and has no money from the chargeback.
 */
async function reportUndecidedDispute(
  { installationId, platform }: MoneyContext,
  { _id: paymentId, disputeId }: Pick<PaymentRecord, '_id' | 'disputeId'>,
  chargeback: ChargebackRecord,
): Promise<void> {
  if (disputeId === null) return;
  const dispute = await scoped(DisputeModel, installationId).findOne({ _id: disputeId });
  if (!dispute) return;
  if (dispute.outcome?.by === chargebacksName)
    return platform.log.error(
      { paymentId, disputeId },
      'chargeback won: the dispute that it ended was not decided, refund the payment if the payer is right',
    );
  const amount = await takenFromDispute(installationId, chargeback);
  const isOfDealer = dispute.state === 'won' || dispute.state === 'withdrawn';
  if (amount === 0 || isOfDealer) return;
  platform.log.error(
    { paymentId, disputeId, amount, currency: chargeback.currency },
    'chargeback won: the dispute that it reduced is only about the rest, refund the amount if the payer is right',
  );
}

/** Returns the amount by which a chargeback has reduced the dispute about its payment, in minor units. */
async function takenFromDispute(
  installationId: string,
  { _id, paymentId, dealerId }: ChargebackRecord,
): Promise<number> {
  if (dealerId === null) return 0;
  const released = await scoped(LedgerTransactionModel, installationId).find(
    { paymentId, dealerId, kind: 'dispute_release', 'source.type': 'chargeback' },
    { sort: { at: 1, _id: 1 } },
  );
  const own = released.filter(({ source }) => source.id.startsWith(`${_id}:`));
  return own.reduce((sum, { postings }) => sum - amountsOf(postings, dealerId).held, 0);
}
