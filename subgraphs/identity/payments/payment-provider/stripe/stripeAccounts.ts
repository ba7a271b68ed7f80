import type Stripe from 'stripe';
import type { AccountOrder, PaymentProvider, ProviderAccount } from '../PaymentProvider.ts';
import { ask } from './openStripe.ts';

type Accounts = Pick<PaymentProvider, 'createAccount' | 'readAccount' | 'createOnboardingLink'>;

/** Returns connected accounts, one for each dealer. */
export function stripeAccounts(stripe: Stripe, installationId: string): Accounts {
  return {
    createAccount: (order) =>
      ask(async () => {
        const made = order.isRepeated ? await findAccount(stripe, order) : null;
        if (made) return toAccount(made);
        const { dealerId, tries, legalName, contactEmail, country, currency } = order;
        const params: Stripe.AccountCreateParams = {
          type: 'express',
          country,
          default_currency: currency.toLowerCase(),
          email: contactEmail,
          business_profile: { name: legalName },
          capabilities: { transfers: { requested: true } },
          // The ledger decides when money is paid out.
          settings: { payouts: { schedule: { interval: 'manual' } } },
          metadata: { dealerId, installationId },
        };
        return toAccount(await stripe.accounts.create(params, { idempotencyKey: `${dealerId}:${tries}` }));
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
  };
}

/** Finds an account. Stripe cannot search by metadata, but lists the accounts since a time. */
async function findAccount(
  stripe: Stripe,
  { dealerId, orderedAt }: AccountOrder,
): Promise<Stripe.Account | null> {
  // Allows for clock skew, so that an account is not missed.
  const since = Math.floor(orderedAt.getTime() / 1000) - 3600;
  for await (const account of stripe.accounts.list({ created: { gte: since }, limit: 100 }))
    if (account.metadata?.dealerId === dealerId) return account;
  return null;
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
