import { randomUUID } from 'node:crypto';
import { collection, type MoneyWorld, openMoneyWorld, patienceMs, type Sale } from '../crashes/MoneyWorld.ts';
import { problemOf } from '../support/problemOf.ts';
import type { SeededUser } from '../support/seed.ts';

let world: MoneyWorld;
let finance: SeededUser;
beforeAll(async () => {
  world = await openMoneyWorld('held');
  finance = await world.shop.staff('finance');
}, patienceMs);
afterAll(() => world.close(), patienceMs);

const run = (name: string, input: object, as: SeededUser = finance) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const source = `mutation ($input: ${type}!) { ${name}(input: $input) { refund { id state settledByHandAt } } }`;
  return world.stack.execute(source, { input }, { as });
};
const listed = async (): Promise<string[]> => {
  const { data } = await world.stack.execute(
    '{ failedRefunds(first: 100) { nodes { id } } }',
    {},
    { as: finance },
  );
  return data?.failedRefunds.nodes.map(({ id }: { id: string }) => id);
};
const stored = (_id: string) => collection('refunds').findOne({ _id });
async function work(_id: string): Promise<void> {
  await collection('refunds').updateOne({ _id, dueAt: { $type: 'date' } }, { $set: { dueAt: new Date(0) } });
  await world.stack.runJob('identity.refunds');
}

/** What the payer's bank sends back, as often as it is tried. */
async function sendBack(ref: string | undefined): Promise<void> {
  const one = world.stripe.objects.get(String(ref));
  if (!one) throw new Error('There is no such refund.');
  world.stripe.objects.set(one.id, {
    ...one,
    amount: 0,
    status: 'failed',
    failure_reason: 'lost_or_stolen_card',
  });
}

/** A refund that came back five times. */
async function failed(): Promise<{ id: string; sale: Sale }> {
  const sale = await world.sale();
  const amount = { amount: 1000, currency: 'EUR' };
  const input = { paymentId: sale.paymentId, amount, reason: 'OTHER', idempotencyKey: randomUUID() };
  const { data } = await run('createRefund', input, sale.garage.owner);
  const id: string = data?.createRefund.refund.id;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await sendBack((await stored(id))?.ref);
    // The provider says that something became of it.
    await collection('refunds').updateOne({ _id: id }, { $set: { dueAt: new Date(0) } });
    await work(id);
    expect(await stored(id)).toMatchObject({ state: 'failed', attempt });
    if (attempt < 5) await work(id);
  }
  return { id, sale };
}

test(
  'a refund that fails five times is tried no more and stands on the list; tried again, it may succeed',
  async () => {
    const { id, sale } = await failed();
    expect(await stored(id)).toMatchObject({ dueAt: null, givenUpAt: expect.any(Date) });
    expect(await listed()).toContain(id);
    const idempotencyKey = randomUUID();
    const answers = [
      await run('retryRefund', { refundId: id, idempotencyKey }),
      await run('retryRefund', { refundId: id, idempotencyKey }),
    ];
    for (const { data } of answers) expect(data?.retryRefund.refund).toMatchObject({ id });
    expect(await listed()).not.toContain(id);
    await work(id);
    expect(await stored(id)).toMatchObject({ state: 'succeeded', attempt: 6, givenUpAt: null });
    expect(problemOf(await run('retryRefund', { refundId: id }))).toMatchObject({
      code: 'invalid_transition',
    });
    const kinds = await collection('ledger_transactions').find({ paymentId: sale.paymentId }).toArray();
    expect(kinds.map(({ kind }) => String(kind)).sort()).toEqual(['charge', 'fee', 'refund']);
    await world.assertProven();
  },
  patienceMs,
);

test(
  'one that is paid by hand keeps its state, leaves the list, is tried no more, and its reference is audited',
  async () => {
    const { id, sale } = await failed();
    expect(problemOf(await run('settleRefund', { refundId: id, reference: ' ' }))).toMatchObject({
      errors: [{ pointer: '#/reference' }],
    });
    for (const as of [sale.buyer, sale.garage.owner, await world.shop.staff('support')])
      expect(problemOf(await run('settleRefund', { refundId: id, reference: 'T 17' }, as))).toMatchObject({
        code: 'permission_required',
      });
    const settled = await Promise.all(
      Array.from({ length: 5 }, () => run('settleRefund', { refundId: id, reference: 'T 17' })),
    );
    const [one] = settled.filter(({ errors }) => !errors);
    expect(settled.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(one?.data?.settleRefund.refund).toMatchObject({
      state: 'FAILED',
      settledByHandAt: expect.anything(),
    });
    expect(await listed()).not.toContain(id);
    await work(id);
    expect(await stored(id)).toMatchObject({
      state: 'failed',
      settlement: { reference: 'T 17', by: finance.id },
    });
    const audited = { action: 'settleRefund', 'target.id': id, reason: 'T 17' };
    expect(await collection('audit_events').countDocuments(audited)).toBe(1);
    await world.assertProven();
  },
  patienceMs,
);

test(
  'what a dispute has lost and the provider refuses is not forgotten: it stands on the list, to be paid by hand',
  async () => {
    const sale = await world.sale();
    const ask = (source: string, input: object, as: SeededUser) =>
      world.stack.execute(source, { input }, { as });
    const opened = await ask(
      'mutation ($input: OpenDisputeInput!) { openDispute(input: $input) { dispute { id } } }',
      { paymentId: sale.paymentId, reason: 'OTHER', text: 'No.' },
      sale.buyer,
    );
    const disputeId = opened.data?.openDispute.dispute.id;
    await ask(
      'mutation ($input: ResolveDisputeInput!) { resolveDispute(input: $input) { dispute { id } } }',
      { disputeId, outcome: 'LOST', statement: 'So be it.', idempotencyKey: randomUUID() },
      finance,
    );
    world.stripe.faults = ['refuse'];
    await world.stack.runJob('identity.refunds');
    const refund = await collection('refunds').findOne({ disputeId });
    expect(refund).toMatchObject({ state: 'canceled', givenUpAt: expect.any(Date) });
    const refundId = String(refund?._id);
    expect(await listed()).toContain(refundId);
    expect(problemOf(await run('retryRefund', { refundId }))).toMatchObject({ code: 'invalid_transition' });
    const { errors } = await run('settleRefund', { refundId, reference: 'T 18' });
    expect(errors).toBeUndefined();
    expect(await listed()).not.toContain(refundId);
  },
  patienceMs,
);
