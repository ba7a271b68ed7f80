import { randomUUID } from 'node:crypto';
import type { SeededUser } from '../support/seed.ts';
import type { Cut } from './Cut.ts';
import {
  collection,
  type Form,
  type MoneyWorld,
  type Order,
  openMoneyWorld,
  paidAmount,
  patienceMs,
  type Sale,
  waitFor,
} from './MoneyWorld.ts';

let world: MoneyWorld;
let finance: SeededUser;

/** All that a sale leaves, and the commission of it with its tax. */
const [earned, commission] = [paidAmount - 1000, 1000];
const refunded = 5000;

type Outcome = 'won' | 'lost' | 'split';

/** What is asked for when the process ends, before which write, and whether anybody asks again. */
interface Point {
  ask: 'open' | 'answer' | Outcome;
  cut: Cut;
  isRepeated: boolean;
}

const [balance, journal, known, done] = [
  { write: 'ledger_balances.findOneAndUpdate' },
  { write: 'ledger_transactions.insertOne' },
  { write: 'disputes.findOneAndUpdate' },
  { write: 'idempotency_keys.findOneAndUpdate' },
] as const;

const points: readonly Point[] = [
  { ask: 'open', cut: balance, isRepeated: true },
  { ask: 'open', cut: balance, isRepeated: false },
  { ask: 'open', cut: journal, isRepeated: true },
  { ask: 'open', cut: known, isRepeated: false },
  { ask: 'open', cut: done, isRepeated: true },
  { ask: 'answer', cut: done, isRepeated: true },
  { ask: 'won', cut: balance, isRepeated: true },
  { ask: 'won', cut: balance, isRepeated: false },
  { ask: 'won', cut: journal, isRepeated: false },
  // The first one stands in the transaction of the decision.
  { ask: 'won', cut: { ...known, nth: 2 }, isRepeated: true },
  { ask: 'won', cut: done, isRepeated: true },
  { ask: 'lost', cut: { ...known, nth: 2 }, isRepeated: false },
  { ask: 'split', cut: balance, isRepeated: true },
  { ask: 'split', cut: journal, isRepeated: false },
];

const complaint = { reason: 'not_as_described', text: 'The gearbox is another one.' };

async function dispute({ paymentId, buyer }: Sale): Promise<string> {
  const source = `mutation ($input: OpenDisputeInput!) { openDispute(input: $input) { dispute { id } } }`;
  const input = { paymentId, ...complaint, reason: 'NOT_AS_DESCRIBED' };
  const { data } = await world.stack.execute(source, { input }, { as: buyer });
  return data?.openDispute.dispute.id;
}

async function orderOf(ask: Point['ask'], sale: Sale): Promise<Order> {
  const { paymentId, buyer, garage } = sale;
  const key = randomUUID();
  if (ask === 'open')
    return { path: `payments/${paymentId}/disputes`, token: buyer.token, key, body: complaint };
  const id = await dispute(sale);
  if (ask === 'answer')
    return {
      path: `disputes/${id}/evidence`,
      token: garage.owner.token,
      key,
      body: { text: 'Look at this.' },
    };
  const part = ask === 'split' ? { refundAmount: { amount: refunded, currency: 'EUR' } } : {};
  const body = { outcome: ask, statement: 'As the papers say.', ...part };
  return { path: `admin/disputes/${id}/resolve`, token: finance.token, key, body };
}

const refundsOf = ({ intentId }: Sale) =>
  [...world.stripe.objects.values()].filter(({ payment_intent }) => payment_intent === intentId);

/** What is held, given back and left follows from what was asked for, and everything says the same. */
async function assertOnce(label: string, ask: Point['ask'], sale: Sale): Promise<void> {
  const found = await collection('disputes').find({ paymentId: sale.paymentId }).toArray();
  expect([label, found]).toMatchObject([label, [{ isHeld: true }]]);
  const [{ state, evidence } = { state: '', evidence: [] }] = found;
  const booked = (await collection('ledger_transactions').find({ paymentId: sale.paymentId }).toArray()).map(
    ({ kind }) => String(kind),
  );
  const before = ['charge', 'fee', 'dispute_hold'];
  const after: Record<Point['ask'], string[]> = {
    open: [],
    answer: [],
    won: ['dispute_release'],
    lost: ['dispute_loss', 'fee_refund'],
    split: ['dispute_loss', 'dispute_release', 'fee_refund'],
  };
  expect([label, booked.sort()]).toEqual([label, [...before, ...after[ask]].sort()]);
  const back = { open: 0, answer: 0, won: 0, lost: paidAmount, split: refunded }[ask];
  expect([label, refundsOf(sale)]).toMatchObject([label, back === 0 ? [] : [{ amount: back }]]);
  expect(await collection('payments').findOne({ _id: sale.paymentId })).toMatchObject({
    amountRefunded: back,
  });
  const [refund] = await collection('refunds').find({ paymentId: sale.paymentId }).toArray();
  const commissionBack = refund ? refund.feeAmount + refund.feeTaxAmount : 0;
  const held = ask === 'open' || ask === 'answer' ? paidAmount : 0;
  expect([label, await collection('ledger_balances').findOne({ dealerId: sale.garage.id })]).toMatchObject([
    label,
    { accounts: { pending: 0, available: earned - held - back + commissionBack, held, in_payout: 0 } },
  ]);
  if (ask === 'lost') expect(commissionBack).toBe(commission);
  const expected = {
    open: 'needs_response',
    answer: 'under_review',
    won: 'won',
    lost: 'lost',
    split: 'split',
  };
  expect([label, state, evidence.length]).toEqual([label, expected[ask], ask === 'answer' ? 1 : 0]);
}

/** Points of the refund of a lost dispute at which the worker ends. */
const works: readonly { name: string; cut: Cut; by: 'refund' | 'payment' }[] = [
  { name: 'not taken from what is held', cut: balance, by: 'payment' },
  { name: 'taken, not in the journal', cut: journal, by: 'payment' },
  { name: 'taken, its commission not yet back', cut: { ...balance, nth: 2 }, by: 'payment' },
  { name: 'taken, not known as funded', cut: { write: 'refunds.findOneAndUpdate' }, by: 'refund' },
  {
    name: 'made by the provider, not known',
    cut: { write: 'refunds.findOneAndUpdate', nth: 2 },
    by: 'refund',
  },
];
const jobs = ['identity.refunds', 'identity.ledger-recovery'];

/**
 * Declares the tests of processes that end at a point of a dispute.
 *
 * @param isWhole every point; otherwise one of them
 */
export function describeDisputeCrashes(form: Form, isWhole = true): void {
  const wantedPoints = isWhole ? points : points.slice(2, 3);
  const wantedWorks = isWhole ? works : works.slice(1, 2);
  beforeAll(async () => {
    world = await openMoneyWorld(form);
    finance = await world.shop.staff('finance');
  }, patienceMs);
  afterAll(() => world.close(), patienceMs);

  test(
    'a process that is killed at any point of a dispute loses nothing and keeps or gives back nothing twice',
    async () => {
      const made: { point: Point; label: string; sale: Sale; order: Order }[] = [];
      for (const point of wantedPoints) {
        const sale = await world.sale();
        const label = `${point.ask}, before ${point.cut.write}`;
        made.push({ point, label, sale, order: await orderOf(point.ask, sale) });
      }
      const victim = await world.startProduct(wantedPoints.map(({ cut }) => cut));
      const client = world.clientOf(victim);
      for (const { order } of made) await world.sendUntilCut(client, order);
      await victim.kill();

      const product = await world.startProduct();
      const second = world.clientOf(product);
      for (const { label, order, point } of made) {
        if (!point.isRepeated) continue;
        const answer = await world.sendUntilDone(second, order);
        expect([label, answer.status, answer.text]).toEqual([label, expect.any(Number), expect.anything()]);
        expect([200, 201]).toContain(answer.status);
      }
      await waitFor(async () => {
        const open = await collection('disputes').countDocuments({
          $or: [{ isHeld: false }, { outcome: { $ne: null }, dueAt: { $ne: null } }],
        });
        const waiting = await collection('refunds').countDocuments({ dueAt: { $ne: null } });
        return open + waiting === 0;
      });
      for (const { label, point, sale } of made) await assertOnce(label, point.ask, sale);
      await world.assertProven();
      await product.stop();
    },
    patienceMs,
  );

  test(
    'a process that is killed while it gives back what a dispute has lost gives it back once',
    async () => {
      const made: { sale: Sale; about: string; before: number }[] = [];
      const first = await world.cuts();
      const source = `mutation ($input: ResolveDisputeInput!) { resolveDispute(input: $input) { dispute { id } } }`;
      const due = new Date(Date.now() - 60_000);
      for (const { cut, by } of wantedWorks) {
        const sale = await world.sale();
        const input = {
          disputeId: await dispute(sale),
          outcome: 'LOST',
          statement: 'As the papers say.',
          idempotencyKey: randomUUID(),
        };
        await world.stack.execute(source, { input }, { as: finance });
        const refund = await collection('refunds').findOneAndUpdate(
          { paymentId: sale.paymentId },
          { $set: { dueAt: null } },
        );
        const about = by === 'refund' ? String(refund?._id) : sale.paymentId;
        const before = await world.cuts();
        // Each successor goes on with what the one before left, and is killed over the next refund.
        const victim = await world.startWorker(jobs, [{ ...cut, about }]);
        await collection('refunds').updateOne({ _id: String(refund?._id) }, { $set: { dueAt: due } });
        await waitFor(async () => (await world.cuts()) > before);
        await victim.kill();
        made.push({ sale, about, before });
      }
      expect((await world.cuts()) - first).toBe(wantedWorks.length);
      await world.startWorker(jobs);
      await waitFor(async () => (await collection('refunds').countDocuments({ dueAt: { $ne: null } })) === 0);
      for (const [index, { name }] of wantedWorks.entries())
        await assertOnce(name, 'lost', (made[index] as (typeof made)[number]).sale);
      await world.assertProven();
    },
    patienceMs,
  );
}
