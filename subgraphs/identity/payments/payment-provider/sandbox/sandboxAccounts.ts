import type { KeptObjects } from '../kept/keptObjects.ts';
import type { ProviderObjectRecord } from '../kept/model.ts';
import type { PaymentProvider, ProviderAccount, ProviderPayout } from '../PaymentProvider.ts';
import type { SandboxOptions } from './sandboxPayments.ts';
import { slowMs } from './sandboxPayments.ts';

const linkMs = 10 * 60_000;

type Accounts = Pick<
  PaymentProvider,
  'createAccount' | 'readAccount' | 'createOnboardingLink' | 'transfers' | 'createPayout' | 'readPayout'
>;

/** Returns accounts that become active on the sandbox's page, and payouts that arrive after a few seconds. */
export function sandboxAccounts(objects: KeptObjects, { now, pageUrl }: SandboxOptions): Accounts {
  return {
    async createAccount({ dealerId, currency }) {
      const account = { kind: 'account', ownId: dealerId, currency, status: 'pending' } as const;
      return toAccount(await objects.make(account, { withSecret: true }));
    },
    readAccount: async (ref) => toAccount(await objects.read(ref, 'account')),
    async createOnboardingLink(ref, { returnUrl }) {
      const { clientSecret, returnUrl: known } = await objects.read(ref, 'account');
      if (known !== returnUrl) await objects.change(ref, {}, { $set: { returnUrl } });
      return { url: pageUrl(clientSecret ?? ''), expiresAt: new Date(now() + linkMs) };
    },
    transfers: null,
    async createPayout({ payoutId, attempt, accountRef, amount }) {
      const { status } = await objects.read(accountRef, 'account');
      const settlesAt = new Date(now() + slowMs);
      const begin = status === 'active' ? { status: 'in_transit', settlesAt } : { status: 'failed' };
      // A new attempt is a new object at the provider, which still belongs to the same payout here.
      const ownId = `${payoutId}:${attempt}`;
      return toPayout(await objects.make({ kind: 'payout', ownId, ...amount, ...begin }), now());
    },
    readPayout: async (ref) => toPayout(await objects.read(ref, 'payout'), now()),
  };
}

function toAccount({ _id, ownId, status }: ProviderObjectRecord): ProviderAccount {
  const state = status as ProviderAccount['state'];
  return {
    ref: _id,
    dealerId: ownId,
    state,
    requirementsDue: state === 'pending' || state === 'restricted' ? ['sandbox.confirmation'] : [],
  };
}

function toPayout(record: ProviderObjectRecord, now: number): ProviderPayout {
  const { _id: ref, ownId, status, amount, currency, settlesAt } = record;
  const hasArrived = status === 'in_transit' && settlesAt !== null && settlesAt.getTime() <= now;
  const state = (hasArrived ? 'paid' : status) as ProviderPayout['state'];
  const [payoutId = null] = ownId.split(':');
  const failureCode = state === 'failed' ? 'account_closed' : null;
  return { ref, payoutId, state, amount, currency, arrivalDate: settlesAt, failureCode };
}
