import {
  DisputeModel,
  type DisputeRecord,
} from '../../../subgraphs/identity/payments/dispute/record/model.ts';
import { PaymentModel } from '../../../subgraphs/identity/payments/payment/record/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { type Item, type ItemName, nobodys, owned, unowned } from './Item.ts';
import type { Parties } from './stockUp.ts';
import { storePayment } from './storePayment.ts';
import { storeRefund } from './storeRefund.ts';

const day = 24 * 3600_000;

/** Stores an open dispute with a new payment and returns its id. */
export async function storeDispute(
  installationId: string,
  payerId: string,
  dealerId: string,
  changes: Partial<DisputeRecord> = {},
): Promise<string> {
  const at = new Date();
  const _id = newId('dispute');
  const paymentId = await storePayment(installationId, payerId, dealerId, {
    state: 'succeeded',
    disputeId: _id,
  });
  const payment = await scoped(PaymentModel, installationId).findOne({ _id: paymentId });
  await scoped(DisputeModel, installationId).insert({
    _id,
    paymentId,
    payerId,
    dealerId,
    currency: payment?.currency ?? '',
    amount: payment?.amountCaptured ?? 0,
    reason: 'other',
    text: 'It is another one.',
    state: 'needs_response',
    respondBy: new Date(at.getTime() + 7 * day),
    evidence: [],
    outcome: null,
    availableAt: null,
    dueAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...changes,
  });
  return _id;
}

/**
 * Stores disputes with the garage, of the seller with another user, and of another installation, and permanently failed
 * refunds in both installations.
 */
export async function stockDisputes({ shop, abroad, users, garage, person, stranger }: Parties) {
  const [here, there] = [shop.installation.id, abroad.installation.id];
  const nobody = newId('dealer');
  const dispute = async (name: ItemName, owner: Item['owner'], stored: Promise<string>) =>
    owned(name, 'dispute', { owner, id: await stored, dealerId: owner === 'garage' ? garage.id : null });
  const failed = (installationId: string, dealerId: string) =>
    storeRefund(
      installationId,
      { paymentId: newId('payment'), dealerId },
      { state: 'failed', givenUpAt: new Date() },
    );
  return {
    ...unowned('refund', 'refund', [await failed(here, garage.id), await failed(there, nobody)]),
    dispute: await dispute('dispute', 'garage', storeDispute(here, person.id, garage.id)),
    disputePrivate: await dispute('disputePrivate', 'seller', storeDispute(here, users.seller.id, nobody)),
    disputeElsewhere: await dispute('disputeElsewhere', null, storeDispute(there, stranger.id, nobody)),
    disputeNever: nobodys('disputeNever', 'dispute'),
  };
}
