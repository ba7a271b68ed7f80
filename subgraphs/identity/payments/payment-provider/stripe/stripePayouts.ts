import type Stripe from 'stripe';
import type { PaymentProvider, PayoutOrder, ProviderPayout, ProviderTransfers } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';
import { fromStripe, toStripe } from './stripeAmounts.ts';

type Payouts = Pick<PaymentProvider, 'transfers' | 'createPayout' | 'readPayout'>;

/**
 * Returns payouts. Earnings are transferred to the dealer's connected account, and paid out from there to the dealer's
 * bank.
 */
export function stripePayouts(stripe: Stripe, installationId: string): Payouts {
  return {
    transfers: stripeTransfers(stripe, installationId),
    createPayout: (order) =>
      ask(async () => {
        const { payoutId, attempt, tries, accountRef: stripeAccount, amount } = order;
        const made = await findPayout(stripe, order);
        if (made) return toPayout(made);
        const payout = await stripe.payouts.create(
          {
            ...toStripe(amount, 'payout'),
            metadata: { payoutId, installationId, attempt },
          },
          { idempotencyKey: `${payoutId}:${attempt}:${tries}`, stripeAccount },
        );
        return toPayout(payout);
      }),
    readPayout: (ref, stripeAccount) =>
      ask(async () => toPayout(await stripe.payouts.retrieve(ref, {}, { stripeAccount }))),
  };
}

/**
 * Finds the payout of this attempt. Stripe cannot search by metadata, but lists the dealer's few payouts since the request.
 * An earlier attempt may not have failed, if Stripe did not show it for a week.
 */
async function findPayout(
  stripe: Stripe,
  { payoutId, attempt, accountRef: stripeAccount, createdAt }: PayoutOrder,
): Promise<Stripe.Payout | null> {
  // Allows for clock skew, so that a payout is not missed.
  const since = Math.floor(createdAt.getTime() / 1000) - 3600;
  const list = stripe.payouts.list({ created: { gte: since }, limit: 100 }, { stripeAccount });
  for await (const payout of list)
    if (
      payout.metadata?.payoutId === payoutId &&
      (payout.metadata.attempt === String(attempt) || payoutStates[payout.status] !== 'failed')
    )
      return payout;
  return null;
}

/** Returns transfers. The transfers of a payout are found by their group, which is the payout's id. */
function stripeTransfers(stripe: Stripe, installationId: string): ProviderTransfers {
  const find = (payoutId: string) =>
    ask(async () => {
      const { data } = await stripe.transfers.list({ transfer_group: payoutId, limit: 1 });
      return data[0] ? { ref: data[0].id } : null;
    });
  return {
    find,
    create: ({ payoutId, tries, accountRef, amount }) =>
      ask(async () => {
        const made = await find(payoutId);
        if (made) return made;
        const { id } = await stripe.transfers.create(
          {
            ...toStripe(amount, 'payout'),
            destination: accountRef,
            transfer_group: payoutId,
            metadata: { payoutId, installationId },
          },
          { idempotencyKey: `${payoutId}:transfer:${tries}` },
        );
        return { ref: id };
      }),
    reverse: (ref, { payoutId, tries }) =>
      ask(async () => {
        const { reversed, amount, amount_reversed: before } = await stripe.transfers.retrieve(ref);
        if (reversed) return;
        const options = { idempotencyKey: `${payoutId}:reversal:${tries}` };
        await stripe.transfers.createReversal(ref, { amount: amount - before }, options);
      }),
  };
}

const payoutStates: Readonly<Record<string, ProviderPayout['state'] | undefined>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
};

function toPayout(payout: Stripe.Payout): ProviderPayout {
  return {
    ref: payout.id,
    payoutId: payout.metadata?.payoutId ?? null,
    state: payoutStates[payout.status] ?? 'in_transit',
    ...fromStripe(payout.amount, payout.currency),
    arrivalDate: new Date(payout.arrival_date * 1000),
    failureCode: payout.failure_code,
  };
}
