import { dealerAccount } from '../../../subgraphs/identity/payments/ledger/accounts.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { post } from '../../support/post.ts';
import { ofTests } from '../../support/stack/scatteredCommands.ts';
import { onEach, onFresh, reading, writing, writingOnce } from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import { collection } from '../world/collection.ts';
import { namesOf } from '../world/Item.ts';
import { storePayout } from '../world/storePayout.ts';

const dealers = namesOf('dealer');
const payouts = namesOf('payout');

/** Creates a dealer of the caller with earnings and an account at the provider. */
async function found({ world, who }: Cell): Promise<string> {
  const { id: dealerId } = await world.shop.dealer({ members: [{ userId: world.ids[who], role: 'owner' }] });
  const { platform } = world.app.stack;
  const installationId = world.shop.installation.id;
  await collection('dealers').updateOne(
    { _id: dealerId },
    { $set: { 'payout.accountState': 'active' } },
    { comment: ofTests },
  );
  const line = (account: string, amount: number) => ({ account, currency: 'EUR', amount });
  await post(
    { installationId, platform },
    {
      kind: 'adjustment',
      source: { type: 'adjustment', id: newId('ledgerTransaction') },
      dealerId,
      currency: 'EUR',
      postings: [line('psp_clearing', -10), line(dealerAccount(dealerId, 'available'), 10)],
    },
  );
  return dealerId;
}

/** Stores a payout of the garage. */
const storeNew =
  (options: Parameters<typeof storePayout>[2] = {}) =>
  ({ world }: Cell) =>
    storePayout(world.shop.installation.id, world.garage.id, options);

/** Payouts and their accounts. */
export const payoutOperations: readonly Operation[] = [
  {
    field: 'Mutation.createPayoutOnboardingLink',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    selection: 'url',
    cases: onFresh(dealers, found, (dealerId) => writing({ dealerId }, {})),
  },
  {
    field: 'Query.dealerPayouts',
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    scope: 'payments:read',
    selection: 'nodes { id dealerId }',
    cases: onEach(dealers, (dealerId) => reading({ dealerId })),
    check: (data, { item }) => {
      for (const payout of data.nodes ?? data.data) expect(payout.dealerId).toBe(item?.id);
    },
  },
  {
    field: 'Query.payoutsToTransfer',
    rule: { kind: 'holds any', permissions: ['payouts:hold'] },
    selection: 'nodes { id dealerId }',
    check: (data) => {
      for (const payout of data.nodes) expect(payout).toMatchObject({ dealerId: expect.any(String) });
    },
  },
  {
    field: 'Mutation.requestPayout',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    selection: 'payout { id }',
    cases: onFresh(dealers, found, (dealerId) =>
      writingOnce({ dealerId }, { amount: { amount: 10, currency: 'EUR' } }),
    ),
  },
  {
    field: 'Mutation.holdPayout',
    rule: { kind: 'holds', permission: 'payouts:hold', reach: 'not_found' },
    selection: 'payout { id }',
    cases: onFresh(payouts, storeNew(), (payoutId) => writing({ payoutId }, { reason: 'Looks odd' })),
  },
  {
    field: 'Mutation.releasePayoutHold',
    rule: { kind: 'holds', permission: 'payouts:release', reach: 'not_found' },
    stepUp: true,
    selection: 'payout { id }',
    cases: onFresh(payouts, storeNew({ state: 'on_hold', heldBy: newId('user') }), (payoutId) =>
      writing({ payoutId }),
    ),
  },
  {
    field: 'Mutation.cancelPayout',
    rule: { kind: 'holds', permission: 'payouts:hold', reach: 'not_found' },
    stepUp: true,
    selection: 'payout { id }',
    cases: onFresh(payouts, storeNew({ state: 'on_hold', heldBy: newId('user') }), (payoutId) =>
      writing({ payoutId }, { reason: 'Looks odd' }),
    ),
  },
  {
    field: 'Mutation.settlePayout',
    rule: { kind: 'holds', permission: 'payouts:hold', reach: 'not_found' },
    stepUp: true,
    selection: 'payout { id state }',
    cases: onFresh(payouts, storeNew({ state: 'in_transit', awaitsTransferSince: new Date() }), (payoutId) =>
      writingOnce({ payoutId }, { reference: 'T 17', outcome: 'FAILED' }),
    ),
  },
];
