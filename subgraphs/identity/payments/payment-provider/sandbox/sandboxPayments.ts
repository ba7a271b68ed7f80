import { dayMs } from '../../../../platform/time/durations.ts';
import type { KeptObjects, KeptOptions } from '../kept/keptObjects.ts';
import type { ProviderObjectRecord, SandboxCard } from '../kept/model.ts';
import type { PaymentProvider, ProviderPayment, ProviderRefusal } from '../PaymentProvider.ts';
import { ProviderFailure } from '../ProviderFailure.ts';

const authorizedMs = 7 * dayMs;
/** Duration of a payment with the slow test card. */
export const slowMs = 5000;

export const declined: ProviderRefusal = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'The card was declined.',
};

/** Returns the outcome of a payment by test card. */
export function outcomeOf(
  card: SandboxCard,
  now: number,
): Pick<ProviderObjectRecord, 'card' | 'status' | 'refusal' | 'settlesAt'> {
  const outcome = { card, refusal: null, settlesAt: null };
  if (card === 'declined') return { ...outcome, status: 'requires_payment_method', refusal: declined };
  if (card === 'challenge') return { ...outcome, status: 'requires_action' };
  if (card === 'slow') return { ...outcome, status: 'processing', settlesAt: new Date(now + slowMs) };
  return { ...outcome, status: 'authorized' };
}

type Payments = Pick<PaymentProvider, 'createPayment' | 'readPayment' | 'capturePayment' | 'cancelPayment'>;

/** Returns payments with test cards. */
export function sandboxPayments(objects: KeptObjects, { now, pageUrl }: SandboxOptions): Payments {
  const shown = (record: ProviderObjectRecord) => toPayment(record, now(), pageUrl);
  const change = async (ref: string, from: object[], set: object): Promise<ProviderPayment> => {
    const changed = await objects.change(ref, { $or: from }, { $set: set });
    return shown(changed ?? (await objects.read(ref, 'payment')));
  };
  const authorized = () => [
    { status: 'authorized' },
    { status: 'processing', settlesAt: { $lte: new Date(now()) } },
  ];
  return {
    async createPayment({ paymentId, amount, methodRef, returnUrl }) {
      const method = methodRef === null ? null : await objects.read(methodRef, 'method');
      const begin = method?.card ? outcomeOf(method.card, now()) : { status: 'requires_payment_method' };
      const payment = { kind: 'payment' as const, ownId: paymentId, ...amount, returnUrl, ...begin };
      return shown(await objects.make(payment, { withSecret: true }));
    },
    readPayment: async (ref) => shown(await objects.read(ref, 'payment')),
    async capturePayment(ref, { amount: { amount } }) {
      const from = authorized().map((one) => ({ ...one, amount: { $gte: amount } }));
      const payment = await change(ref, from, { status: 'succeeded', amountCaptured: amount });
      if (payment.state === 'succeeded') return payment;
      throw new ProviderFailure(
        'refused',
        'payment_intent_unexpected_state',
        `The payment is ${payment.state}.`,
      );
    },
    async cancelPayment(ref) {
      const from = [...authorized(), { status: { $in: ['requires_payment_method', 'requires_action'] } }];
      const payment = await change(ref, from, { status: 'canceled' });
      if (payment.state === 'canceled') return payment;
      throw new ProviderFailure(
        'refused',
        'payment_intent_unexpected_state',
        `The payment is ${payment.state}.`,
      );
    },
  };
}

/** Address of the sandbox's page. */
export interface SandboxOptions extends KeptOptions {
  /** Returns the URL of the sandbox's page for a secret. */
  pageUrl(clientSecret: string): string;
}

function toPayment(
  record: ProviderObjectRecord,
  now: number,
  pageUrl: SandboxOptions['pageUrl'],
): ProviderPayment {
  const {
    _id: ref,
    ownId,
    amount,
    currency,
    amountCaptured,
    refusal,
    settlesAt,
    clientSecret,
    createdAt,
  } = record;
  const isSettled = record.status === 'processing' && settlesAt !== null && settlesAt.getTime() <= now;
  const state = (isSettled ? 'authorized' : record.status) as ProviderPayment['state'];
  const waits = state === 'requires_payment_method' || state === 'requires_action';
  return {
    ref,
    paymentId: ownId,
    state,
    amount,
    currency,
    amountCaptured,
    amountCapturable: state === 'authorized' ? amount : 0,
    clientSecret,
    action: waits && clientSecret ? { type: 'redirect', url: pageUrl(clientSecret) } : null,
    refusal,
    authorizedUntil: state === 'authorized' ? new Date(createdAt.getTime() + authorizedMs) : null,
    providerFee: { amount: 0, currency },
    amountToReturn: 0,
  };
}
