import { emptyContent } from '../../../subgraphs/identity/listings/listing/content/applyInput.ts';
import { newListing } from '../../../subgraphs/identity/listings/listing/newListing.ts';
import { ListingModel } from '../../../subgraphs/identity/listings/listing/record/model.ts';
import {
  PaymentModel,
  type PaymentRecord,
} from '../../../subgraphs/identity/payments/payment/record/model.ts';
import { PaymentMethodModel } from '../../../subgraphs/identity/payments/payment-method/model.ts';
import { keptObjects } from '../../../subgraphs/identity/payments/payment-provider/kept/keptObjects.ts';
import type { Platform } from '../../../subgraphs/platform/context/Platform.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { type Item, type ItemName, nobodys, owned } from './Item.ts';
import type { Parties } from './stockUp.ts';

const amount = 12_300;

/** Secret of the sandbox for a stored payment. */
export const sandboxSecretOf = (paymentId: string) => `secret of ${paymentId}`;

/** Stores a payment, also at its provider, and its listing. Returns its id. It is authorized unless stated. */
export async function storePayment(
  installationId: string,
  userId: string,
  dealerId: string,
  changes: Partial<PaymentRecord> = {},
): Promise<string> {
  const at = new Date();
  const _id = newId('payment');
  const { state = 'authorized', provider = 'sandbox', listingId = newId('listing') } = changes;
  if (changes.listingId === undefined) await storeListing(installationId, listingId, dealerId);
  const objects = keptObjects(provider === 'manual' ? 'man' : 'sbx', { installationId, now: Date.now });
  const kept = { kind: 'payment', ownId: _id, status: state, amount, currency: 'EUR' } as const;
  const { _id: providerRef } = await objects.make(kept);
  const amountCaptured = state === 'succeeded' ? amount : 0;
  const known = { clientSecret: sandboxSecretOf(_id), amountCaptured };
  await objects.change(providerRef, {}, { $set: known });
  await scoped(PaymentModel, installationId).insert({
    _id,
    purpose: 'deposit',
    payer: { userId },
    payee: { type: 'dealer', id: dealerId },
    listingId,
    promotion: null,
    currency: 'EUR',
    amount,
    amountCapturable: state === 'authorized' ? amount : 0,
    amountCaptured,
    amountRefunded: 0,
    fee: null,
    captureMethod: 'manual',
    state,
    failure: null,
    provider,
    providerRef,
    clientSecret: null,
    nextAction: null,
    paymentMethodId: null,
    operation: null,
    checkAt: null,
    checks: 0,
    tries: 0,
    endsAt: null,
    authorizationExpiresAt: new Date(at.getTime() + 24 * 3600_000),
    authorizedAt: at,
    capturedAt: state === 'succeeded' ? at : null,
    receiptNumber: null,
    disputeId: null,
    metadata: {},
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...changes,
  });
  return _id;
}

/** Stores a listing that its dealer has sold, so that a deposit for it can be captured. */
async function storeListing(installationId: string, _id: string, dealerId: string): Promise<void> {
  const owner = { type: 'dealer', id: dealerId } as const;
  const draft = newListing(emptyContent('en'), { _id, owner }, { platform: { now: Date.now } as Platform });
  await scoped(ListingModel, installationId).insert({ ...draft, state: 'sold' });
}

/** Stores a payment method of a user and returns its id. */
export async function storePaymentMethod(installationId: string, userId: string): Promise<string> {
  const at = new Date();
  const _id = newId('paymentMethod');
  await scoped(PaymentMethodModel, installationId).insert({
    _id,
    userId,
    provider: 'sandbox',
    customerRef: `sbx_customer_${userId}`,
    setupRef: `sbx_method_${_id}`,
    methodRef: `sbx_method_${_id}`,
    state: 'active',
    type: 'card',
    brand: 'sandbox',
    last4: '4242',
    expMonth: 12,
    expYear: 2039,
    clientSecret: null,
    nextAction: null,
    createdAt: at,
    updatedAt: at,
  });
  return _id;
}

/** Stores payments to the garage, of the seller to another user, and of another installation. */
export async function stockPayments({ shop, abroad, users, garage, person, stranger }: Parties) {
  const [here, there] = [shop.installation.id, abroad.installation.id];
  const [seller, nobody] = [users.seller.id, newId('dealer')];
  const payment = async (name: ItemName, owner: Item['owner'], stored: Promise<string>) =>
    owned(name, 'payment', { owner, id: await stored, dealerId: owner === 'garage' ? garage.id : null });
  const method = async (name: ItemName, owner: Item['owner'], stored: Promise<string>) =>
    owned(name, 'paymentMethod', { owner, id: await stored });
  return {
    payment: await payment('payment', 'garage', storePayment(here, person.id, garage.id)),
    paymentPrivate: await payment('paymentPrivate', 'seller', storePayment(here, seller, nobody)),
    paymentElsewhere: await payment('paymentElsewhere', null, storePayment(there, stranger.id, nobody)),
    paymentNever: nobodys('paymentNever', 'payment'),
    method: await method('method', 'seller', storePaymentMethod(here, seller)),
    methodElsewhere: await method('methodElsewhere', null, storePaymentMethod(there, stranger.id)),
    methodNever: nobodys('methodNever', 'paymentMethod'),
  };
}
