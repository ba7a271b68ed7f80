import { proveLedger } from '../../subgraphs/identity/payments/ledger/proveLedger.ts';
import { assertProven, collection, makeSale } from '../crashes/moneyWorld.ts';
import { loggedErrors } from '../support/loggedErrors.ts';
import { isRefused } from '../support/Refusal.ts';
import { type SeededUser, unique } from '../support/seed.ts';
import { stripeProduct } from '../support/stripeProduct.ts';

const world = stripeProduct();
const { market } = world;
let finance: SeededUser;
beforeAll(async () => {
  finance = await market.staff('finance');
});

const listed = async () => (await finance.failedRefunds({ first: 100 })).nodes.map(({ id }) => id);
const stored = (_id: string) => collection('refunds').findOne({ _id });
async function work(_id: string): Promise<void> {
  await collection('refunds').updateOne({ _id, dueAt: { $type: 'date' } }, { $set: { dueAt: new Date(0) } });
  await world.stack.runJob('identity.refunds');
}

/** Creates a refund that the payer's bank returns five times. */
async function failRefund() {
  const sale = await makeSale(world);
  const { paymentId, garage } = sale;
  const amount = { amount: 1000, currency: 'EUR' };
  const order = { paymentId, amount, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  const { id } = (await garage.owner.createRefund(order)).refund;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const refund = world.stripe.objects.get((await stored(id))?.ref);
    if (!refund) throw new Error('Stripe has no such refund.');
    const sentBack = { amount: 0, status: 'failed', failure_reason: 'lost_or_stolen_card' };
    world.stripe.objects.set(refund.id, { ...refund, ...sentBack });
    await collection('refunds').updateOne({ _id: id }, { $set: { dueAt: new Date(0) } });
    const errors = await loggedErrors(world.stack, () => work(id));
    expect(await stored(id)).toMatchObject({ state: 'failed', attempt });
    const forGood = [[{ refundId: id }, expect.stringContaining('failed for good')]];
    expect(errors).toEqual(attempt < 5 ? [] : forGood);
    if (attempt < 5) await work(id);
  }
  return { id, sale };
}

test('a refund that failed five times is listed as failed until finance retries it successfully', async () => {
  const { id, sale } = await failRefund();
  expect(await stored(id)).toMatchObject({ dueAt: null, givenUpAt: expect.any(Date) });
  expect(await listed()).toContain(id);
  expect((await finance.retryRefund({ refundId: id })).refund).toMatchObject({ id });
  expect(await listed()).not.toContain(id);
  await work(id);
  expect(await stored(id)).toMatchObject({ state: 'succeeded', attempt: 6, givenUpAt: null });
  expect(await finance.retryRefund({ refundId: id })).toBeRefused(409, 'invalid_transition');
  const booked = await collection('ledger_transactions').find({ paymentId: sale.paymentId }).toArray();
  expect(booked.map(({ kind }) => String(kind)).sort()).toEqual(['charge', 'fee', 'refund']);
  await assertProven(world);
});

test('finance settles a failed refund manually exactly once, which unlists it and audits its reference', async () => {
  const { id: refundId } = await failRefund();
  const settle = (reference: string) => finance.settleRefund({ refundId, reference });
  expect(await settle(' ')).toBeRefused(422, 'validation_failed', {
    errors: [{ pointer: '#/reference' }],
  });
  const answers = await Promise.all(Array.from({ length: 5 }, () => settle('T 17')));
  const [made, ...more] = answers.filter((answer) => !isRefused(answer));
  expect(more).toEqual([]);
  expect(made?.refund).toMatchObject({ state: 'FAILED', settledByHandAt: expect.anything() });
  expect(await listed()).not.toContain(refundId);
  // A repeated request that has not changed the refund itself is refused as well.
  const requests = [
    (key: object) => finance.retryRefund({ refundId, ...key }),
    (key: object) => finance.settleRefund({ refundId, reference: 'T 18', ...key }),
  ];
  for (const request of requests) {
    const key = { idempotencyKey: unique('key') };
    expect(await request(key)).toBeRefused(409, 'invalid_transition');
    const open = { state: 'running', refusal: null, leaseUntil: new Date(0) };
    await collection('idempotency_keys').updateMany(
      { installationId: market.installation.id },
      { $set: open },
    );
    expect(await request(key)).toBeRefused(409, 'invalid_transition');
  }
  await work(refundId);
  const settlement = { reference: 'T 17', by: finance.id };
  expect(await stored(refundId)).toMatchObject({ state: 'failed', settlement });
  const { house } = await proveLedger(market.installation.id);
  const sumOf = (name: string) => house.find(({ account }) => account === name)?.amount;
  expect([sumOf('bank'), sumOf('psp_clearing')]).toEqual([1000, -world.stripe.balance(null, 'eur')]);
  const audited = {
    action: 'settleRefund',
    'target.type': 'refund',
    'target.id': refundId,
    reason: 'T 17',
  };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
  await assertProven(world);
});

test('the refused refund of a lost dispute is listed until finance settles it manually', async () => {
  const { paymentId, buyer, garage } = await makeSale(world);
  const { id: disputeId } = (await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.' })).dispute;
  const decision = { outcome: 'LOST', statement: 'So be it.', idempotencyKey: unique('key') } as const;
  await finance.resolveDispute({ disputeId, ...decision });
  world.stripe.faults = ['refuse'];
  await world.stack.runJob('identity.refunds');
  const refund = await collection('refunds').findOne({ disputeId });
  expect(refund).toMatchObject({ state: 'failed', givenUpAt: expect.any(Date) });
  const refundId = String(refund?._id);
  expect(await listed()).toContain(refundId);
  expect(await finance.settleRefund({ refundId, reference: 'T 18' })).not.toBeRefused();
  expect(await listed()).not.toContain(refundId);
  expect(await finance.retryRefund({ refundId })).toBeRefused(409, 'invalid_transition');
  // The payer has the money, so a further refund of the payment would pay it twice.
  const again = { paymentId, reason: 'OTHER', idempotencyKey: unique('key') } as const;
  expect(await garage.owner.createRefund(again)).toBeRefused(409, 'refund_exceeds_captured');
  await assertProven(world);
});

test('the refund of a lost dispute that Stripe cancels later is listed for finance', async () => {
  const { paymentId, buyer } = await makeSale(world);
  const { id: disputeId } = (await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.' })).dispute;
  const decision = { outcome: 'LOST', statement: 'So be it.', idempotencyKey: unique('key') } as const;
  await finance.resolveDispute({ disputeId, ...decision });
  await world.stack.runJob('identity.refunds');
  const refund = await collection('refunds').findOne({ disputeId });
  const made = world.stripe.objects.get(String(refund?.ref));
  if (!refund || !made) throw new Error('Stripe has no such refund.');
  world.stripe.objects.set(made.id, { ...made, status: 'canceled' });
  const waits = { state: 'pending', dueAt: new Date(0) };
  await collection('refunds').updateOne({ _id: refund._id }, { $set: waits });
  await world.stack.runJob('identity.refunds');
  expect(await stored(refund._id)).toMatchObject({ state: 'failed', failureCode: 'canceled' });
  expect(await listed()).toContain(refund._id);
});
