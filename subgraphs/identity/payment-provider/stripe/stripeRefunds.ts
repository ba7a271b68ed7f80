import type Stripe from 'stripe';
import type { PaymentProvider, ProviderRefund } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';

/** Refunds of captured payments. */
export function stripeRefunds(
  stripe: Stripe,
  installationId: string,
): Pick<PaymentProvider, 'createRefund' | 'readRefund'> {
  return {
    createRefund: ({ refundId, attempt, paymentRef, amount, reason }) =>
      ask(async () => {
        const metadata = { refundId, installationId, reason };
        const params = { payment_intent: paymentRef, amount: amount.amount, metadata };
        return toRefund(await stripe.refunds.create(params, { idempotencyKey: `${refundId}:${attempt}` }));
      }),
    readRefund: (ref) => ask(async () => toRefund(await stripe.refunds.retrieve(ref))),
  };
}

const states: Readonly<Record<string, ProviderRefund['state']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

function toRefund(refund: Stripe.Refund): ProviderRefund {
  return {
    ref: refund.id,
    refundId: refund.metadata?.refundId ?? null,
    state: states[refund.status ?? ''] ?? 'pending',
    amount: refund.amount,
    currency: refund.currency.toUpperCase(),
    failureCode: refund.failure_reason ?? null,
  };
}
