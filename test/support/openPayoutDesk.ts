import { dealerAccount } from '../../subgraphs/identity/ledger/accounts.ts';
import { postTransaction } from '../../subgraphs/identity/ledger/postTransaction.ts';
import { ProviderObjectModel } from '../../subgraphs/identity/payment-provider/kept/model.ts';
import { PayoutModel } from '../../subgraphs/identity/payout/model.ts';
import { findPayoutAccount } from '../../subgraphs/identity/payout-account/model.ts';
import { refreshPayoutAccount } from '../../subgraphs/identity/payout-account/refreshPayoutAccount.ts';
import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { openRestStack, type RestAnswer } from './openRestStack.ts';
import { type SeededDealer, seed, unique } from './seed.ts';

/** A marketplace in whose sandbox a dealer is paid out. */
export type PayoutDesk = Awaited<ReturnType<typeof openPayoutDesk>>;

/** Opens it; whoever opens it closes it, and calls `renew` before each test for a dealer that nothing has happened to. */
export async function openPayoutDesk() {
  const rest = await openRestStack([buildIdentity]);
  const shop = await seed(rest.stack).in(rest.stack.demo);
  const finance = (await shop.staff('finance')).token;
  const operator = (await shop.user({ roles: ['operator' as never] })).token;
  let garage: SeededDealer = await shop.dealer();
  const installationId = shop.installation.id;
  const scope = () => ({
    installationId,
    installation: shop.installation,
    platform: rest.stack.platform,
  });
  const path = (rest: string) => `/api/v1/dealers/${garage.id}/${rest}`;
  const call = (method: string, where: string, body?: object): Promise<RestAnswer> =>
    rest.call(method, path(where), { token: garage.owner.token, ...(body && { body }) });

  /** Something is available to the dealer. */
  const earn = (amount: number) => {
    const line = (account: string, value: number) => ({ account, currency: 'EUR', amount: value });
    return postTransaction(scope(), {
      kind: 'adjustment',
      source: { type: 'adjustment', id: newId('ledgerTransaction') },
      dealerId: garage.id,
      currency: 'EUR',
      postings: [line('psp_clearing', -amount), line(dealerAccount(garage.id, 'available'), amount)],
    });
  };

  /** Lets time pass for what waits, and not for those who are signed in. */
  async function pass(milliseconds: number): Promise<void> {
    const waits = [
      [PayoutModel, 'dueAt'],
      [ProviderObjectModel, 'settlesAt'],
    ] as const;
    for (const [model, key] of waits)
      await (model as typeof PayoutModel).collection.updateMany({ [key]: { $type: 'date' } }, [
        { $set: { [key]: { $subtract: [`$${key}`, milliseconds] } } },
      ]);
  }

  /** The provider says of the dealer's account what it has found out. */
  async function decideAccount(status: 'active' | 'restricted' | 'rejected' | 'pending'): Promise<void> {
    const account = await findPayoutAccount(installationId, garage.id, 'sandbox');
    await scoped(ProviderObjectModel, installationId).findOneAndUpdate(
      { _id: account?.ref ?? '' },
      { $set: { status } },
    );
    await refreshPayoutAccount(scope(), 'sandbox', account?.ref ?? '');
  }

  const onboard = () => call('POST', 'payout-account/onboarding-links', {});
  return {
    rest,
    shop,
    finance,
    operator,
    scope,
    path,
    earn,
    pass,
    decideAccount,
    onboard,
    get garage() {
      return garage;
    },
    async renew() {
      garage = await shop.dealer();
    },
    /** The dealer can be paid out, and has so much. */
    async open(amount: number) {
      expect((await onboard()).status).toBe(201);
      await decideAccount('active');
      if (amount > 0) await earn(amount);
    },
    request: (amount: number | null, key = unique('key'), token = garage.owner.token) =>
      rest.call('POST', path('payouts'), {
        token,
        body: amount === null ? {} : { amount: { amount, currency: 'EUR' } },
        headers: { 'idempotency-key': key },
      }),
    balance: async () => (await call('GET', 'balance')).body.balances[0],
    read: (id: string) => scoped(PayoutModel, installationId).findOne({ _id: id }),
    list: async (query = '') => (await call('GET', `payouts${query}`)).body.data,
    hold: (id: string, token = finance, reason = 'Looks odd') =>
      rest.call('PUT', `/api/v1/admin/payouts/${id}/hold`, { token, body: { reason } }),
    release: (id: string, token = operator) =>
      rest.call('DELETE', `/api/v1/admin/payouts/${id}/hold`, { token }),
    /** The worker looks at what is due, so much later. */
    async work(ahead = 0) {
      if (ahead > 0) await pass(ahead);
      await rest.stack.runJob('identity.payouts');
    },
    close: () => rest.close(),
  };
}
