import type { SeededUser } from '../support/seed.ts';
import { unique } from '../support/seed.ts';
import type { Cut } from './Cut.ts';
import {
  assertProven,
  type Crash,
  collection,
  type Form,
  makeSale,
  moneyWorld,
  paidAmount,
  patienceMs,
  type Sale,
  waitFor,
} from './moneyWorld.ts';

/** Earnings of a sale, its commission with tax, and the refund of a split decision. */
const [earned, commission, refunded] = [paidAmount - 1000, 1000, 5000];

type Step = 'open' | 'answer' | 'won' | 'lost' | 'split';

const [marked, balance, journal, recorded, done] = [
  { write: 'payments.findOneAndUpdate' },
  { write: 'ledger_balances.findOneAndUpdate' },
  { write: 'ledger_transactions.insertOne' },
  { write: 'disputes.findOneAndUpdate' },
  { write: 'idempotency_keys.findOneAndUpdate' },
] as const;
const uncommitted = { write: 'transaction.commit' };
const committed = { ...uncommitted, isBehind: true };

/** The step during which the process ends, before which write, and whether the step is repeated. */
const points: readonly [Step, Cut, boolean][] = [
  ['open', marked, true],
  ['open', balance, true],
  ['open', journal, true],
  ['open', uncommitted, true],
  ['open', committed, false],
  ['open', done, true],
  ['answer', done, true],
  ['won', recorded, true],
  ['won', balance, true],
  ['won', journal, true],
  ['won', committed, false],
  ['won', done, true],
  ['lost', balance, true],
  ['lost', { ...balance, nth: 2 }, true],
  ['lost', committed, false],
  ['split', { ...balance, nth: 2 }, true],
  ['split', { ...journal, nth: 3 }, true],
  ['split', uncommitted, true],
];

/** Points of the refund of a lost dispute. Each write contains the id of the refund or of its payment. */
const works: readonly { name: string; cut: Cut; names: 'refund' | 'payment' }[] = [
  { name: 'refunded, not recorded', cut: { write: 'refunds.findOneAndUpdate' }, names: 'refund' },
  { name: 'recorded, not committed', cut: { write: 'payments.findOneAndUpdate' }, names: 'payment' },
];
const jobs = ['identity.refunds'];

/** State, further transactions, refunded amount and held amount after a step. */
const outcomes: Record<Step, { state: string; booked: string[]; back: number; held: number }> = {
  open: { state: 'needs_response', booked: [], back: 0, held: paidAmount },
  answer: { state: 'under_review', booked: [], back: 0, held: paidAmount },
  won: { state: 'won', booked: ['dispute_release'], back: 0, held: 0 },
  lost: { state: 'lost', booked: ['dispute_loss', 'fee_refund'], back: paidAmount, held: 0 },
  split: {
    state: 'split',
    booked: ['dispute_loss', 'dispute_release', 'fee_refund'],
    back: refunded,
    held: 0,
  },
};

/** Declares the tests of processes that end at every point of a dispute. */
export function describeDisputeCrashes(form: Form): void {
  const world = moneyWorld(form);
  let finance: SeededUser;
  beforeAll(async () => {
    finance = await world.market.staff('finance');
  });

  const complaint = { reason: 'not_as_described', text: 'The gearbox is another one.' };
  const statement = 'As the papers say.';
  const dispute = async ({ paymentId, buyer }: Sale) =>
    (await buyer.openDispute({ ...complaint, paymentId, reason: 'NOT_AS_DESCRIBED' })).dispute.id;

  async function orderOf(step: Step, sale: Sale): Promise<Crash['order']> {
    const { paymentId, buyer, garage } = sale;
    if (step === 'open') return { path: `payments/${paymentId}/disputes`, by: buyer, body: complaint };
    const id = await dispute(sale);
    if (step === 'answer')
      return { path: `disputes/${id}/evidence`, by: garage.owner, body: { text: 'Look at this.' } };
    const part = step === 'split' ? { refundAmount: { amount: refunded, currency: 'EUR' } } : {};
    return { path: `admin/disputes/${id}/resolve`, by: finance, body: { outcome: step, statement, ...part } };
  }

  async function assertOnce(name: string, step: Step, { paymentId, intentId, garage }: Sale): Promise<void> {
    const { state, booked, back, held } = outcomes[step];
    const found = await collection('disputes').find({ paymentId }).toArray();
    expect([name, found]).toMatchObject([name, [{ state }]]);
    expect([name, found[0]?.evidence.length]).toEqual([name, step === 'answer' ? 1 : 0]);
    const transactions = await collection('ledger_transactions').find({ paymentId }).toArray();
    const kinds = ['charge', 'fee', 'dispute_hold', ...booked].sort();
    expect([name, transactions.map(({ kind }) => String(kind)).sort()]).toEqual([name, kinds]);
    const made = [...world.stripe.objects.values()].filter((one) => one.payment_intent === intentId);
    expect([name, made]).toMatchObject([name, back === 0 ? [] : [{ amount: back }]]);
    const payment = await collection('payments').findOne({ _id: paymentId });
    expect(payment).toMatchObject({ amountRefunded: back });
    const refund = await collection('refunds').findOne({ paymentId });
    const returned = refund ? refund.feeAmount + refund.feeTaxAmount : 0;
    if (step === 'lost') expect(returned).toBe(commission);
    const available = earned - held - back + returned;
    expect([name, await collection('ledger_balances').findOne({ dealerId: garage.id })]).toMatchObject([
      name,
      { accounts: { pending: 0, available, held, in_payout: 0 } },
    ]);
  }

  test(
    'a dispute holds and refunds the money once if its process is killed at any point',
    async () => {
      const crashes = await Promise.all(
        points.map(async ([step, cut, isRepeated], index) => {
          const sale = await makeSale(world);
          const name = `${index}: ${step}, at ${cut.write}`;
          return { name, cut, isRepeated, step, sale, order: await orderOf(step, sale) };
        }),
      );
      const { successor } = await world.crash(crashes);
      await waitFor(async () => {
        return (await collection('refunds').countDocuments({ state: { $ne: 'succeeded' } })) === 0;
      });
      for (const { name, step, sale } of crashes) await assertOnce(name, step, sale);
      await assertProven(world);
      await successor.stop();
    },
    patienceMs,
  );

  test(
    'the refund of a lost dispute is executed once if its process is killed at any point',
    async () => {
      const refunds = collection('refunds');
      const sales: { name: string; sale: Sale }[] = [];
      for (const { name, cut, names } of works) {
        const sale = await makeSale(world);
        const { paymentId } = sale;
        const decision = { outcome: 'LOST', statement, idempotencyKey: unique('key') } as const;
        await finance.resolveDispute({ disputeId: await dispute(sale), ...decision });
        const refund = await refunds.findOneAndUpdate({ paymentId }, { $set: { dueAt: null } });
        const about = names === 'refund' ? String(refund?._id) : paymentId;
        // Each worker completes the refund of its predecessor, and is killed during the next one.
        await world.crashWorker(jobs, { ...cut, about }, () =>
          refunds.updateOne({ paymentId }, { $set: { dueAt: new Date(Date.now() - 60_000) } }),
        );
        sales.push({ name, sale });
      }
      await world.startWorker(jobs);
      await waitFor(async () => (await refunds.countDocuments({ state: { $ne: 'succeeded' } })) === 0);
      for (const { name, sale } of sales) await assertOnce(name, 'lost', sale);
      await assertProven(world);
    },
    patienceMs,
  );
}
