import type Stripe from 'stripe';
import type { ChargebackMovement, ProviderChargeback, ProviderChargebacks } from '../ProviderChargebacks.ts';
import { ask } from './openStripe.ts';
import { feeFromStripe, fromStripe } from './stripeAmounts.ts';

/**
 * Returns chargebacks, which Stripe calls disputes. Disputes of charges without a payment intent belong to no payment
 * here.
 */
export function stripeChargebacks(stripe: Stripe): ProviderChargebacks {
  return {
    read: (ref) => ask(async () => toChargeback(await stripe.disputes.retrieve(ref))),
    list: (since) =>
      ask(async () => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const found: ProviderChargeback[] = [];
        for await (const dispute of stripe.disputes.list({ created, limit: 100 }))
          found.push(toChargeback(dispute));
        return found;
      }),
  };
}

const states: Readonly<Record<string, ProviderChargeback['state'] | undefined>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'closed',
  prevented: 'closed',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

function toChargeback(dispute: Stripe.Dispute): ProviderChargeback {
  const { id, payment_intent: intent, reason, status, evidence_details: evidence } = dispute;
  const dueBy = evidence.due_by;
  return {
    ref: id,
    paymentRef: typeof intent === 'string' ? intent : (intent?.id ?? null),
    // An unknown status is read again later.
    state: states[status] ?? 'open',
    ...fromStripe(dispute.amount, dispute.currency),
    reason,
    respondBy: dueBy === null ? null : new Date(dueBy * 1000),
    movements: dispute.balance_transactions.map((moved) => toMovement(dispute, moved)),
  };
}

/**
 * Converts a balance transaction. If an account has no balance in the payment's currency, Stripe converts what it
 * takes. The capture was booked in the payment's currency, so the disputed amount is booked regardless of the exchange
 * rate. The fee was never converted.
 */
function toMovement(
  dispute: Stripe.Dispute,
  { id, amount, fee, currency }: Stripe.BalanceTransaction,
): ChargebackMovement {
  const isConverted = currency !== dispute.currency;
  const own = isConverted ? Math.sign(amount) * dispute.amount : amount;
  return {
    ref: id,
    amount: fromStripe(own, dispute.currency).amount,
    fee: feeFromStripe(fee, currency),
  };
}
