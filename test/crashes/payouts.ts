import { randomUUID } from 'node:crypto';
import type { Cut } from './Cut.ts';
import {
  collection,
  type Form,
  type MoneyWorld,
  openMoneyWorld,
  paidAmount,
  patienceMs,
  type Sale,
  waitFor,
} from './MoneyWorld.ts';

let world: MoneyWorld;

/** All that a sale leaves. */
const amount = paidAmount - 1000;

const orderOf = ({ garage }: Sale, key: string) => ({
  path: `dealers/${garage.id}/payouts`,
  token: garage.owner.token,
  key,
  body: {},
});

async function sales(count: number): Promise<Sale[]> {
  const made: Sale[] = [];
  for (let index = 0; index < count; index += 1) {
    const sale = await world.sale();
    await world.openAccount(sale.garage.id);
    made.push(sale);
  }
  return made;
}

const payoutOf = ({ garage }: Sale) => collection('payouts').findOne({ dealerId: garage.id });

/** The days in which the bank works are over, and the five minutes before them. */
async function makeDue(filter: object = {}): Promise<void> {
  await collection('payouts').updateMany(
    { dueAt: { $type: 'date' }, ...filter },
    { $set: { dueAt: new Date(0) } },
  );
  for (const one of world.stripe.objects.values())
    if (one.object === 'payout') world.stripe.objects.set(one.id, { ...one, status: 'paid' });
}

/** The money has left once, and everything says so. */
async function assertPaidOnce(name: string, sale: Sale): Promise<void> {
  const payouts = await collection('payouts').find({ dealerId: sale.garage.id }).toArray();
  expect([name, payouts]).toMatchObject([name, [{ state: 'paid', isFunded: true }]]);
  const [payout] = payouts;
  const at = (object: string) =>
    [...world.stripe.objects.values()].filter(
      (one) => one.object === object && one.metadata?.payoutId === payout?._id,
    );
  expect([name, at('transfer'), at('payout')]).toMatchObject([
    name,
    [{ amount }],
    [{ id: payout?.ref, amount }],
  ]);
  const booked = await collection('ledger_transactions').find({ payoutId: payout?._id }).toArray();
  expect(booked.map(({ kind }) => String(kind)).sort()).toEqual(['payout', 'payout_paid']);
  expect(await collection('ledger_balances').findOne({ dealerId: sale.garage.id })).toMatchObject({
    accounts: { pending: 0, available: 0, held: 0, in_payout: 0 },
  });
}

/** Points of the request for a payout at which its process ends, and whether anybody asks again. */
const requests: readonly { name: string; cut: Cut; isRepeated: boolean }[] = [
  { name: 'written down', cut: { write: 'ledger_balances.findOneAndUpdate' }, isRepeated: true },
  {
    name: 'the same, and nobody asks again',
    cut: { write: 'ledger_balances.findOneAndUpdate' },
    isRepeated: false,
  },
  {
    name: 'in the balance, not in the journal',
    cut: { write: 'ledger_transactions.insertOne' },
    isRepeated: true,
  },
  {
    name: 'in the journal, not known as funded',
    cut: { write: 'payouts.findOneAndUpdate' },
    isRepeated: false,
  },
  { name: 'funded, not in the audit', cut: { write: 'audit_events.insertOne' }, isRepeated: true },
  { name: 'done, not answered', cut: { write: 'idempotency_keys.findOneAndUpdate' }, isRepeated: true },
];

/** Points of the work on a payout at which its process ends; `sent` where it was at the bank already. */
const works: readonly { name: string; cut: Cut | null; sent: boolean }[] = [
  { name: 'before it is on its way', cut: { write: 'payouts.findOneAndUpdate' }, sent: false },
  { name: 'between transfer and payout', cut: null, sent: false },
  { name: 'ordered, not known', cut: { write: 'payouts.findOneAndUpdate', nth: 2 }, sent: false },
  { name: 'arrived, not in the balance', cut: { write: 'ledger_balances.findOneAndUpdate' }, sent: true },
  { name: 'in the balance, not in the journal', cut: { write: 'ledger_transactions.insertOne' }, sent: true },
  { name: 'in the journal, not known as paid', cut: { write: 'payouts.findOneAndUpdate' }, sent: true },
];
const jobs = ['identity.payouts', 'identity.ledger-recovery'];

/**
 * Declares the tests of processes that end at a point of a payout.
 *
 * @param isWhole every point; otherwise one of them
 */
export function describePayoutCrashes(form: Form, isWhole = true): void {
  const wantedRequests = isWhole ? requests : requests.slice(2, 3);
  const wantedWorks = isWhole ? works : works.slice(2, 3);
  beforeAll(async () => {
    world = await openMoneyWorld(form);
  }, patienceMs);
  afterAll(() => world.close(), patienceMs);

  test(
    'a process that is killed while a payout is asked for sets the money aside once, and it arrives once',
    async () => {
      const made = await sales(wantedRequests.length);
      const orders = made.map((sale) => orderOf(sale, randomUUID()));
      const victim = await world.startProduct(wantedRequests.map(({ cut }) => cut));
      const client = world.clientOf(victim);
      for (const order of orders) await world.sendUntilCut(client, order);
      await victim.kill();

      const product = await world.startProduct();
      const second = world.clientOf(product);
      for (const [index, { name, isRepeated }] of wantedRequests.entries()) {
        const order = orders[index];
        if (!isRepeated || !order) continue;
        const answer = await world.sendUntilDone(second, order);
        expect([name, answer.status, answer.text]).toEqual([name, 201, expect.anything()]);
      }
      await waitFor(async () => {
        await makeDue();
        return (await collection('payouts').countDocuments({ state: 'paid' })) === wantedRequests.length;
      });
      for (const [index, { name }] of wantedRequests.entries())
        await assertPaidOnce(name, made[index] as Sale);
      await world.assertProven();
      await product.stop();
    },
    patienceMs,
  );

  test(
    'a process that is killed while it works on a payout sends the money once, and its successor goes on',
    async () => {
      const made = await sales(wantedWorks.length);
      const cutBefore = await world.cuts();
      const requested: (string | undefined)[] = [];
      for (const { garage } of made) {
        const source = `mutation ($input: RequestPayoutInput!) { requestPayout(input: $input) { payout { id } } }`;
        const input = { dealerId: garage.id, idempotencyKey: randomUUID() };
        const { data } = await world.stack.execute(source, { input }, { as: garage.owner });
        requested.push(data?.requestPayout.payout.id);
      }
      const first = await world.startWorker(jobs);
      for (const [index, { sent }] of wantedWorks.entries()) {
        if (!sent) continue;
        await makeDue({ _id: requested[index] });
        await waitFor(async () => (await payoutOf(made[index] as Sale))?.ref != null);
      }
      await first.kill();
      // Each successor goes on with what the one before left, and is killed over the next payout.
      for (const [index, { cut }] of wantedWorks.entries()) {
        const [_id = '', before] = [requested[index], await world.cuts()];
        const victim = await world.startWorker(jobs, cut ? [{ ...cut, about: _id }] : []);
        await waitFor(async () => (await collection('payouts').countDocuments({ dueAt: new Date(0) })) === 0);
        if (!cut) world.stripe.faults = ['none', 'hold'];
        const calls = world.stripe.calls.filter((call) => call === 'POST /v1/payouts').length;
        await makeDue({ _id });
        await waitFor(async () =>
          cut
            ? (await world.cuts()) > before
            : world.stripe.calls.filter((call) => call === 'POST /v1/payouts').length > calls,
        );
        await victim.kill();
        world.stripe.faults = [];
      }
      const cuts = wantedWorks.filter(({ cut }) => cut !== null).length;
      expect((await world.cuts()) - cutBefore).toBe(cuts);
      await world.startWorker(jobs);
      await waitFor(async () => {
        await makeDue({ _id: { $in: requested } });
        const paid = { _id: { $in: requested as string[] }, state: 'paid', dueAt: null };
        return (await collection('payouts').countDocuments(paid)) === wantedWorks.length;
      });
      for (const [index, { name }] of wantedWorks.entries()) await assertPaidOnce(name, made[index] as Sale);
      await world.assertProven();
    },
    patienceMs,
  );
}
