import type { OwnershipPolicy } from '../../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../../platform/context/recordLoader.ts';
import type { Viewer } from '../../../../platform/principal/Viewer.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';

/** Payments by id, batched per request; null for an id of another installation. */
export const paymentLoader = recordLoader(PaymentModel, { type: 'payment' });

/** Returns whether the viewer is the payer. */
export function isPayer(viewer: Viewer, { payer }: Pick<PaymentRecord, 'payer'>): boolean {
  return payer.userId === viewer.id;
}

/** Returns whether the viewer acts for the dealer that is paid. Agents have no access to money. */
export function isPayee(viewer: Viewer, { payee }: Pick<PaymentRecord, 'payee'>): boolean {
  return payee.type === 'dealer' && viewer.hasDealerRole(payee.id, 'MANAGER');
}

/** Returns the user who pays, and the dealer who is paid; null for the installation. */
export function sidesOf({ payer, payee }: Pick<PaymentRecord, 'payer' | 'payee'>): {
  payerId: string;
  dealerId: string | null;
} {
  return { payerId: payer.userId, dealerId: payee.type === 'dealer' ? payee.id : null };
}

const load: OwnershipPolicy<PaymentRecord>['load'] = (id, context) => context.loader(paymentLoader).load(id);

/** Both sides of a payment own it. */
export const paymentPolicy: OwnershipPolicy<PaymentRecord> = {
  load,
  isOwner: (viewer, payment) => isPayer(viewer, payment) || isPayee(viewer, payment),
};

/** `@guard__owner(type: "ReceivedPayment")`: only the payee. */
export const receivedPaymentPolicy: OwnershipPolicy<PaymentRecord> = { load, isOwner: isPayee };

/** `@guard__owner(type: "SentPayment")`: only the payer. */
export const sentPaymentPolicy: OwnershipPolicy<PaymentRecord> = { load, isOwner: isPayer };
