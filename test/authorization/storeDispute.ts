import { DisputeModel, type DisputeRecord } from '../../subgraphs/identity/dispute/model.ts';
import { PaymentModel } from '../../subgraphs/identity/payment/model.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { type Item, type ItemName, nobodys, unowned } from './Item.ts';
import type { Stock } from './stockUp.ts';
import { storePayment } from './storePayment.ts';
import { storeRefund } from './storeRefund.ts';

const day = 24 * 3600_000;

/** An open dispute about a payment of its own; answers its id. */
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
    isHeld: true,
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
 * A dispute with the garage, one of the seller's with somebody else, and one of another installation; refunds that nobody
 * tries any more, here and there.
 */
export async function stockDisputes({
  shop,
  abroad,
  users,
  garage,
  person,
  stranger,
}: Pick<Stock, 'shop' | 'abroad' | 'users' | 'garage'> & {
  person: { id: string };
  stranger: { id: string };
}) {
  const item = (name: ItemName, owner: Item['owner'], id: string): Item => ({
    ...nobodys(name, 'dispute'),
    where: owner ? 'here' : 'elsewhere',
    owner,
    id,
    dealerId: owner === 'garage' ? garage.id : null,
  });
  const [here, there] = [shop.installation.id, abroad.installation.id];
  const nobody = newId('dealer');
  const failed = (installationId: string, dealerId: string) =>
    storeRefund(
      installationId,
      { paymentId: newId('payment'), dealerId },
      { state: 'failed', givenUpAt: new Date() },
    );
  return {
    ...unowned('refund', 'refund', [await failed(here, garage.id), await failed(there, nobody)]),
    dispute: item('dispute', 'garage', await storeDispute(here, person.id, garage.id)),
    disputePrivate: item('disputePrivate', 'seller', await storeDispute(here, users.seller.id, nobody)),
    disputeElsewhere: item('disputeElsewhere', null, await storeDispute(there, stranger.id, nobody)),
    disputeNever: nobodys('disputeNever', 'dispute'),
  };
}
