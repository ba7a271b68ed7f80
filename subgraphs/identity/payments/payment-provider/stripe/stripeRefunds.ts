import type Stripe from 'stripe';
import type { PaymentProvider, ProviderRefund, RefundOrder } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';
import { fromStripe, toStripe } from './stripeAmounts.ts';

/** Returns refunds of captured payments. */
export function stripeRefunds(
  stripe: Stripe,
  installationId: string,
): Pick<PaymentProvider, 'createRefund' | 'readRefund'> {
  return {
    createRefund: (order) =>
      ask(async () => {
        const made = await findRefund(stripe, order);
        if (made) return toRefund(made);
        const { refundId, attempt, tries, paymentRef, amount: money, reason } = order;
        const { amount } = toStripe(money, 'payment');
        const metadata = { refundId, installationId, reason, attempt };
        const params = { payment_intent: paymentRef, amount, metadata };
        const options = { idempotencyKey: `${refundId}:${attempt}:${tries}` };
        return toRefund(await stripe.refunds.create(params, options));
      }),
    readRefund: (ref) => ask(async () => toRefund(await stripe.refunds.retrieve(ref))),
  };
}

/**
 * Finds the refund of this attempt at any age, because Stripe discards an idempotency key after a day. An earlier attempt
 * may not have failed, if it was given up because Stripe did not show it.
 */
async function findRefund(
  stripe: Stripe,
  { refundId, attempt, paymentRef }: RefundOrder,
): Promise<Stripe.Refund | null> {
  for await (const refund of stripe.refunds.list({ payment_intent: paymentRef, limit: 100 }))
    if (
      refund.metadata?.refundId === refundId &&
      (refund.metadata.attempt === String(attempt) || !isOver(refund))
    )
      return refund;
  return null;
}

function isOver({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled';
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
    paymentRef:
      typeof refund.payment_intent === 'string' ? refund.payment_intent : (refund.payment_intent?.id ?? null),
    state: states[refund.status ?? ''] ?? 'pending',
    ...fromStripe(refund.amount, refund.currency),
    failureCode: refund.failure_reason ?? null,
  };
}
