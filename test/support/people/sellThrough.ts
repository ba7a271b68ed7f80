import { postCapture } from '../../../subgraphs/identity/payments/ledger/postCapture.ts';
import {
  PaymentModel,
  type PaymentRecord,
} from '../../../subgraphs/identity/payments/payment/record/model.ts';
import type { Installation } from '../../../subgraphs/platform/installation/Installation.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { inTransaction } from '../../../subgraphs/platform/mongo/inTransaction.ts';
import { storePayment } from '../../authorization/world/storePayment.ts';
import type { TestStack } from '../stack/openTestStack.ts';

/** Commission of a payment of `sellThrough`, and its tax: together 1000. */
export const soldFee = { amount: 840, taxAmount: 160 } as const;

/**
 * Stores a captured and booked payment of 123.00 EUR, also at its provider and in the ledger. Returns its id.
 *
 * @param heldDays days until its earnings are available
 */
export async function sellThrough(
  { platform }: TestStack,
  installation: Installation,
  sale: { payerId: string; dealerId: string; heldDays?: number; changes?: Partial<PaymentRecord> },
): Promise<string> {
  const { payerId, dealerId, heldDays = 7, changes = {} } = sale;
  const installationId = installation.id;
  const capturedAt = new Date(platform.now());
  const fee = { rateBps: 683, fixed: 0, taxRateBps: 1900, frozenAt: capturedAt, ...soldFee };
  const sold = { state: 'succeeded' as const, fee, capturedAt, ...changes };
  const paymentId = await storePayment(installationId, payerId, dealerId, sold);
  const payment = await scoped(PaymentModel, installationId).findOne({ _id: paymentId });
  const { currency = 'EUR', amountCaptured: amount = 0 } = payment ?? {};
  const { amount: feeAmount, taxAmount: feeTaxAmount } = sold.fee ?? soldFee;
  const booked = { feeAmount, feeTaxAmount };
  const capture = { paymentId, dealerId, currency, amount, ...booked, capturedAt };
  await inTransaction((session) => postCapture({ installationId, platform }, capture, heldDays, session));
  return paymentId;
}
