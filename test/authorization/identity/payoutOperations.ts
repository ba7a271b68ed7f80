import { randomUUID } from 'node:crypto';
import { dealerAccount } from '../../../subgraphs/identity/ledger/accounts.ts';
import { postTransaction } from '../../../subgraphs/identity/ledger/postTransaction.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { collection } from '../collection.ts';
import { namesOf } from '../Item.ts';
import type { Case, Cell, Operation } from '../Operation.ts';
import { storePayout } from '../storePayout.ts';

const dealers = namesOf('dealer');
const payouts = namesOf('payout');

/** A dealer of the caller that has earned something, and the provider knows where it goes. */
async function found({ world, who }: Cell): Promise<string> {
  const { id: dealerId } = await world.shop.dealer({ members: [{ userId: world.ids[who], role: 'owner' }] });
  const { platform } = world.app.stack;
  const installationId = world.shop.installation.id;
  await collection('dealers').updateOne({ _id: dealerId }, { $set: { 'payout.accountState': 'active' } });
  const line = (account: string, amount: number) => ({ account, currency: 'EUR', amount });
  await postTransaction(
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

const ofDealer = (body: object, withKey: boolean): Case[] =>
  dealers.map((item) => ({
    item,
    call: async (cell) => {
      const dealerId = cell.isAnswered ? await found(cell) : (cell.item?.id ?? '');
      const input = { dealerId, ...body, ...(withKey ? { idempotencyKey: randomUUID() } : {}) };
      return { variables: { input }, path: { dealerId }, body };
    },
  }));

/** What is answered is done to a payout of its own. */
const decisions = (state: 'pending' | 'on_hold', body: object): Case[] =>
  payouts.map((item) => ({
    item,
    call: async ({ world, isAnswered, item }) => {
      const heldBy = state === 'on_hold' ? newId('user') : undefined;
      const payoutId = isAnswered
        ? await storePayout(world.shop.installation.id, world.garage.id, {
            state,
            ...(heldBy ? { heldBy } : {}),
          })
        : (item?.id ?? '');
      return { variables: { input: { payoutId, ...body } }, path: { payoutId }, body };
    },
  }));

/** Payouts and the accounts that they go to. */
export const payoutOperations: readonly Operation[] = [
  {
    field: 'Mutation.createPayoutOnboardingLink',
    source: 'owner; step-up',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    routes: { 'POST /api/v1/dealers/{dealerId}/payout-account/onboarding-links': 201 },
    selection: 'url',
    cases: ofDealer({}, false),
  },
  {
    field: 'Query.dealerPayouts',
    source: 'manager or payments:read; clients with payments:read',
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    scope: 'payments:read',
    routes: { 'GET /api/v1/dealers/{dealerId}/payouts': 200 },
    selection: 'nodes { id dealerId }',
    cases: dealers.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { dealerId: item?.id }, path: { dealerId: item?.id ?? '' } }),
    })),
    check: (data, { item }) => {
      for (const payout of data.nodes ?? data.data) expect(payout.dealerId).toBe(item?.id);
    },
  },
  {
    field: 'Mutation.requestPayout',
    source: 'owner; step-up; a key',
    rule: { kind: 'member', atLeast: 'owner' },
    stepUp: true,
    routes: { 'POST /api/v1/dealers/{dealerId}/payouts': 201 },
    selection: 'payout { id }',
    cases: ofDealer({ amount: { amount: 10, currency: 'EUR' } }, true),
  },
  {
    field: 'Mutation.holdPayout',
    source: 'payouts:hold',
    rule: { kind: 'holds', permission: 'payouts:hold', reach: 'not_found' },
    routes: { 'PUT /api/v1/admin/payouts/{payoutId}/hold': 200 },
    selection: 'payout { id }',
    cases: decisions('pending', { reason: 'Looks odd' }),
  },
  {
    field: 'Mutation.releasePayoutHold',
    source: 'payouts:release; step-up; not by who holds it',
    rule: { kind: 'holds', permission: 'payouts:release', reach: 'not_found' },
    stepUp: true,
    routes: { 'DELETE /api/v1/admin/payouts/{payoutId}/hold': 200 },
    selection: 'payout { id }',
    cases: decisions('on_hold', {}).map((entry) => ({
      ...entry,
      call: async (cell) => {
        const { body: _, ...call } = await entry.call(cell);
        return call;
      },
    })),
  },
];
