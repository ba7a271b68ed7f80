import { RefundModel, type RefundRecord } from '../../../subgraphs/identity/payments/refund/record/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a refund of 1.00 EUR and returns its id. It has succeeded unless stated. */
export async function storeRefund(
  installationId: string,
  { paymentId, dealerId }: { paymentId: string; dealerId: string },
  changes: Partial<RefundRecord> = {},
): Promise<string> {
  const [_id, at] = [newId('refund'), new Date()];
  await scoped(RefundModel, installationId).insert({
    _id,
    paymentId,
    dealerId,
    disputeId: null,
    currency: 'EUR',
    amount: 100,
    feeAmount: 0,
    feeTaxAmount: 0,
    reason: 'other',
    note: null,
    state: 'succeeded',
    provider: 'sandbox',
    paymentRef: `sbx_payment_of_${paymentId}`,
    ref: `sbx_refund_${_id}`,
    attempt: 1,
    tries: 0,
    failureCode: null,
    dueAt: null,
    givenUpAt: null,
    settlement: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...changes,
  });
  return _id;
}
