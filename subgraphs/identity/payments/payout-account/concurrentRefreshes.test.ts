import { collection } from '../../../../test/authorization/world/collection.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { findPayoutAccount } from './record/model.ts';
import { refreshPayoutAccount } from './refreshPayoutAccount.ts';

const world = stripeProduct();
const { market } = world;
let garage: SeededDealer;
beforeEach(async () => {
  garage = await market.dealer();
  await garage.owner.createPayoutOnboardingLink({ dealerId: garage.id });
});

const facts = {
  active: { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} },
  rejected: { payouts_enabled: false, requirements: { disabled_reason: 'rejected.fraud' } },
};
const accountState = async () =>
  (await garage.owner.dealerBalance({ dealerId: garage.id })).payoutAccountState;

test.each([
  ['active', 'rejected', 'REJECTED'],
  ['rejected', 'active', 'ACTIVE'],
] as const)(
  'of two concurrent refreshes of an account, %s and then %s, the earlier answer does not replace the later one',
  async (earlier, later, state) => {
    const { installation } = market;
    const { platform } = world.stack;
    const scope = { installationId: installation.id, installation, platform };
    const { ref = '' } = (await findPayoutAccount(installation.id, garage.id, 'stripe')) ?? {};
    const set = (name: keyof typeof facts) =>
      world.stripe.objects.set(ref, {
        ...world.stripe.objects.get(ref),
        id: ref,
        object: 'account',
        ...facts[name],
      });
    const refresh = () => refreshPayoutAccount(scope, 'stripe', ref);

    const provider = providerOf(platform, installation, 'stripe');
    const read = provider.readAccount;
    const answered = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    // The first refresh has its answer and is slow to apply it.
    provider.readAccount = async (accountRef) => {
      provider.readAccount = read;
      const account = await read(accountRef);
      answered.resolve();
      await goOn.promise;
      return account;
    };
    set(earlier);
    const slow = refresh();
    await answered.promise;
    set(later);
    await refresh();
    goOn.resolve();
    await slow;
    expect(await accountState()).toBe(state);
  },
);

test('an account at a provider that the deployment no longer uses does not change the state of the dealer', async () => {
  const { installation } = market;
  const { platform } = world.stack;
  const { ref = '' } = (await findPayoutAccount(installation.id, garage.id, 'stripe')) ?? {};
  const account = { id: ref, object: 'account', ...facts.rejected };
  world.stripe.objects.set(ref, { ...world.stripe.objects.get(ref), ...account });
  const payments = { ...platform.payments, provider: 'manual' } as const;
  const scope = { installationId: installation.id, installation, platform: { ...platform, payments } };
  await collection('dealers').updateOne({ _id: garage.id }, { $set: { 'payout.accountState': 'active' } });
  await refreshPayoutAccount(scope, 'stripe', ref);
  expect(await accountState()).toBe('ACTIVE');
});
