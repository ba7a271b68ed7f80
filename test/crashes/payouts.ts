import { unique } from '../support/seed.ts';
import type { Cut } from './Cut.ts';
import {
  assertProven,
  type Crash,
  collection,
  type Form,
  makeSale,
  moneyWorld,
  openAccount,
  paidAmount,
  patienceMs,
  type Sale,
  waitFor,
} from './moneyWorld.ts';

/** Earnings of a sale. */
const amount = paidAmount - 1000;
const jobs = ['identity.payouts'];

const [balance, journal, recorded] = [
  { write: 'ledger_balances.findOneAndUpdate' },
  { write: 'ledger_transactions.insertOne' },
  { write: 'payouts.findOneAndUpdate' },
] as const;

/** Points of the request for a payout. */
const requests: readonly Omit<Crash, 'order'>[] = [
  { name: 'not stored', cut: { write: 'payouts.insertOne' }, isRepeated: true },
  { name: 'stored, not in the balance', cut: balance, isRepeated: true },
  { name: 'in the balance, not in the journal', cut: journal, isRepeated: true },
  { name: 'in the journal, not audited', cut: { write: 'audit_events.insertOne' }, isRepeated: true },
  { name: 'not committed', cut: { write: 'transaction.commit' }, isRepeated: true },
  { name: 'committed', cut: { write: 'transaction.commit', isBehind: true }, isRepeated: false },
  { name: 'done, not answered', cut: { write: 'idempotency_keys.findOneAndUpdate' }, isRepeated: true },
];

/** Points of the execution of a payout. `isSent`: it was sent to the bank before. */
const works: readonly { name: string; cut: Cut; isSent: boolean }[] = [
  { name: 'not sent', cut: recorded, isSent: false },
  { name: 'transferred, not recorded', cut: { ...recorded, nth: 2 }, isSent: false },
  { name: 'transfer recorded, not in the journal', cut: journal, isSent: false },
  { name: 'sent, not recorded', cut: { ...recorded, nth: 3 }, isSent: false },
  { name: 'arrived, not recorded', cut: recorded, isSent: true },
  { name: 'paid, not in the balance', cut: balance, isSent: true },
  { name: 'in the balance, not in the journal', cut: journal, isSent: true },
];

/** Declares the tests of processes that end at every point of a payout. */
export function describePayoutCrashes(form: Form): void {
  const world = moneyWorld(form);

  async function payableSale(): Promise<Sale> {
    const sale = await makeSale(world);
    await openAccount(world, sale.garage.id);
    return sale;
  }

  async function request({ garage }: Sale): Promise<string> {
    const order = { dealerId: garage.id, idempotencyKey: unique('key') };
    return (await garage.owner.requestPayout(order)).payout.id;
  }

  /** Makes payouts due, and marks them as paid at the bank. */
  async function makeDue(filter: object = {}): Promise<void> {
    await collection('payouts').updateMany(
      { dueAt: { $type: 'date' }, ...filter },
      { $set: { dueAt: new Date(0) } },
    );
    for (const one of world.stripe.objects.values())
      if (one.object === 'payout') world.stripe.objects.set(one.id, { ...one, status: 'paid' });
  }

  const isNothingDue = async () => (await collection('payouts').countDocuments({ dueAt: new Date(0) })) === 0;

  const allPaid = (dealerIds: readonly string[]) =>
    waitFor(async () => {
      const own = { dealerId: { $in: [...dealerIds] } };
      await makeDue(own);
      const paid = { ...own, state: 'paid' };
      return (await collection('payouts').countDocuments(paid)) === dealerIds.length;
    });

  async function assertPaidOnce(name: string, { garage }: Sale): Promise<void> {
    const payouts = await collection('payouts').find({ dealerId: garage.id }).toArray();
    expect([name, payouts]).toMatchObject([name, [{ state: 'paid' }]]);
    const [payout] = payouts;
    const at = (object: string) =>
      [...world.stripe.objects.values()].filter(
        (one) => one.object === object && one.metadata?.payoutId === payout?._id,
      );
    expect([name, at('transfer')]).toMatchObject([name, [{ amount }]]);
    expect([name, at('payout')]).toMatchObject([name, [{ id: payout?.ref, amount }]]);
    const booked = await collection('ledger_transactions').find({ payoutId: payout?._id }).toArray();
    expect(booked.map(({ kind }) => String(kind)).sort()).toEqual([
      'payout',
      'payout_paid',
      'payout_transfer',
    ]);
    expect(await collection('ledger_balances').findOne({ dealerId: garage.id })).toMatchObject({
      accounts: { pending: 0, available: 0, held: 0, in_payout: 0 },
    });
  }

  test(
    'a payout is reserved and paid once if the process of its request is killed at any point',
    async () => {
      const crashes = await Promise.all(
        requests.map(async (point) => {
          const sale = await payableSale();
          const path = `dealers/${sale.garage.id}/payouts`;
          return { ...point, sale, order: { path, by: sale.garage.owner, body: {} } };
        }),
      );
      const { successor } = await world.crash(crashes);
      await allPaid(crashes.map(({ sale }) => sale.garage.id));
      for (const { name, sale } of crashes) await assertPaidOnce(name, sale);
      await assertProven(world);
      await successor.stop();
    },
    patienceMs,
  );

  test(
    'a payout is sent once and completed by the next worker if its worker is killed at any point',
    async () => {
      const payouts: { name: string; cut: Cut; id: string; sale: Sale }[] = [];
      const first = await world.startWorker(jobs);
      for (const { name, cut, isSent } of works) {
        const sale = await payableSale();
        const id = await request(sale);
        payouts.push({ name, cut, id, sale });
        if (!isSent) continue;
        await makeDue({ _id: id });
        await waitFor(async () => (await collection('payouts').findOne({ _id: id }))?.ref != null);
      }
      await first.kill();
      // Each worker completes the payout of its predecessor, and is killed during the next one.
      for (const { cut, id, sale } of payouts) {
        // A balance belongs to the dealer. All other writes contain the id of the payout.
        const about = cut.write === balance.write ? sale.garage.id : id;
        await world.crashWorker(jobs, { ...cut, about }, async () => {
          await waitFor(isNothingDue);
          await makeDue({ _id: id });
        });
      }
      const last = await world.startWorker(jobs);
      await allPaid(payouts.map(({ sale }) => sale.garage.id));
      for (const { name, sale } of payouts) await assertPaidOnce(name, sale);
      await assertProven(world);
      await last.stop();
    },
    patienceMs,
  );

  test(
    'a payout is sent once if its worker is killed between transfer and payout',
    async () => {
      const sale = await payableSale();
      const id = await request(sale);
      const victim = await world.startWorker(jobs);
      world.stripe.faults = ['none', 'hold'];
      const sent = () => world.stripe.calls.filter((call) => call === 'POST /v1/payouts').length;
      const before = sent();
      await makeDue({ _id: id });
      await waitFor(() => sent() > before);
      await victim.kill();
      world.stripe.faults = [];
      await world.startWorker(jobs);
      await allPaid([sale.garage.id]);
      await assertPaidOnce('between transfer and payout', sale);
      await assertProven(world);
    },
    patienceMs,
  );
}
