import type Stripe from 'stripe';
import type { PaymentProvider, ProviderAccount, ProviderPayout } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';

type Accounts = Pick<
  PaymentProvider,
  'createAccount' | 'readAccount' | 'createOnboardingLink' | 'createPayout' | 'readPayout'
>;

/** Connected accounts: what a dealer earned is transferred to his account there, and paid out to his bank from it. */
export function stripeAccounts(stripe: Stripe, installationId: string): Accounts {
  return {
    createAccount: ({ dealerId, legalName, contactEmail, country, currency }) =>
      ask(async () => {
        const params: Stripe.AccountCreateParams = {
          type: 'express',
          country,
          default_currency: currency.toLowerCase(),
          email: contactEmail,
          business_profile: { name: legalName },
          capabilities: { transfers: { requested: true } },
          // The ledger decides when something is paid out.
          settings: { payouts: { schedule: { interval: 'manual' } } },
          metadata: { dealerId, installationId },
        };
        return toAccount(await stripe.accounts.create(params, { idempotencyKey: dealerId }));
      }),
    readAccount: (ref) => ask(async () => toAccount(await stripe.accounts.retrieve(ref))),
    createOnboardingLink: (account, { returnUrl, refreshUrl }) =>
      ask(async () => {
        const link = await stripe.accountLinks.create({
          account,
          type: 'account_onboarding',
          return_url: returnUrl,
          refresh_url: refreshUrl,
        });
        return { url: link.url, expiresAt: new Date(link.expires_at * 1000) };
      }),
    createPayout: ({ payoutId, attempt, accountRef, amount }) =>
      ask(async () => {
        const metadata = { payoutId, installationId };
        const sum = { amount: amount.amount, currency: amount.currency.toLowerCase(), metadata };
        // The transfer is made once, however often the bank refuses what comes after it.
        await stripe.transfers.create(
          { ...sum, destination: accountRef },
          { idempotencyKey: `${payoutId}:transfer` },
        );
        const payout = await stripe.payouts.create(sum, {
          idempotencyKey: `${payoutId}:${attempt}`,
          stripeAccount: accountRef,
        });
        return toPayout(payout);
      }),
    readPayout: (ref, stripeAccount) =>
      ask(async () => toPayout(await stripe.payouts.retrieve(ref, {}, { stripeAccount }))),
  };
}

function toAccount(account: Stripe.Account): ProviderAccount {
  const { id, metadata, requirements, capabilities, details_submitted: isSubmitted } = account;
  const due = requirements?.currently_due ?? [];
  const reason = requirements?.disabled_reason ?? null;
  let state: ProviderAccount['state'] = 'pending';
  if (reason?.startsWith('rejected.')) state = 'rejected';
  else if (account.payouts_enabled && capabilities?.transfers === 'active') state = 'active';
  else if (isSubmitted && reason !== null && reason !== 'requirements.pending_verification')
    state = 'restricted';
  return { ref: id, dealerId: metadata?.dealerId ?? null, state, requirementsDue: due };
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
    amount: payout.amount,
    currency: payout.currency.toUpperCase(),
    arrivalDate: new Date(payout.arrival_date * 1000),
    failureCode: payout.failure_code,
  };
}
