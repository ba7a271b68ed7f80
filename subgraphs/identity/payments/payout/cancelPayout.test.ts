import { collection } from '../../../../test/authorization/world/collection.ts';
import { assertConserved } from '../../../../test/money/assertConserved.ts';
import { drain } from '../../../../test/money/describeConservation.ts';
import { beginRun, type MoneyPlace, type MoneyRun } from '../../../../test/money/MoneyRun.ts';
import { perform, setAccount } from '../../../../test/money/perform.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { seed, unique } from '../../../../test/support/seed.ts';
import { dieWithin } from '../../../../test/support/stack/mortality.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';

const world = stripeProduct();
let place: MoneyPlace;
let run: MoneyRun;
beforeAll(async () => {
  const { stack, stripe } = world;
  const market = await seed(stack).installation({ settings: { earningsHeldDays: 0 } });
  place = { stack, stripe, market, finance: await market.staff('finance') };
});
beforeEach(async () => {
  run = await beginRun(place, 1);
});

const reason = 'The dealer asked for it';
const find = async () => {
  const found = await collection('payouts').findOne({ dealerId: run.garage.id });
  if (!found) throw new Error('There is no payout.');
  return { id: found._id, ...found } as { id: string; [member: string]: unknown };
};
const doings = {
  pay: { do: 'pay', listing: 0, manual: false, card: 'pm_card_visa' },
  payout: { do: 'payout', part: 100 },
  bank: { do: 'bank', payout: 0, status: 'failed' },
  jobs: { do: 'jobs' },
} as const;
const act = async (...names: readonly (keyof typeof doings)[]) => {
  for (const name of names) await perform(run, { ...doings[name], death: null });
};
const requested = async () => {
  await act('pay', 'payout');
  return find();
};
/** A payout that a bank has sent back: its money is on the dealer's account at Stripe. */
const returned = async () => {
  await act('pay', 'payout', 'jobs', 'bank', 'jobs');
  return find();
};
const hold = async ({ id: payoutId }: { id: string }) => {
  const answer = await place.finance.holdPayout({ payoutId, reason: 'Looks odd' });
  expect(answer).not.toBeRefused();
};
const cancel = ({ id: payoutId }: { id: string }, idempotencyKey = unique('key'), more: object = {}) =>
  place.finance.cancelPayout({ payoutId, reason, idempotencyKey, ...more });
const balance = async () => (await run.garage.owner.dealerBalance({ dealerId: run.garage.id })).balances[0];
const kinds = async (payoutId: string) => {
  const written = await collection('ledger_transactions').find({ payoutId }).toArray();
  return written.map(({ kind }) => String(kind)).sort();
};

test('a held payout is called off once by concurrent requests, and its money is available once', async () => {
  const payout = await requested();
  await hold(payout);
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(payout)));
  const made = answers.filter((answer) => !isRefused(answer));
  expect(made).toMatchObject([{ payout: { state: 'CANCELED', hold: null } }]);
  for (const answer of answers.filter(isRefused)) expect(answer).toBeRefused(409);
  await act('jobs', 'jobs');
  const { amount } = payout.amount as { amount: number };
  expect(await balance()).toMatchObject({ available: amount, inPayout: 0 });
  expect(await kinds(payout.id)).toEqual(['payout', 'payout_failure']);
  const audited = { 'target.id': payout.id, action: 'cancelPayout', reason, result: 'allowed' };
  expect(await collection('audit_events').countDocuments(audited)).toBe(1);
  await act('payout');
  await drain(run);
  await assertConserved(run);
});

test('a payout that a suspension holds is called off', async () => {
  const payout = await requested();
  const moderator = await place.market.staff('moderator');
  await moderator.suspendDealer({ dealerId: run.garage.id, reason: 'Complaints' });
  expect((await cancel(payout)).payout.state).toBe('CANCELED');
  await act('jobs');
  expect(await balance()).toMatchObject({ inPayout: 0 });
});

test('a held payout whose money was transferred before takes the transfer back', async () => {
  const payout = await returned();
  await setAccount(run, 'active');
  await world.stack.runJob('identity.payment-events');
  await hold(payout);
  expect(await balance()).toMatchObject({ available: 0 });
  await cancel(payout);
  await act('jobs');
  expect(await find()).toMatchObject({ state: 'canceled', transfer: { state: 'reversed' } });
  expect(await kinds(payout.id)).toEqual(['payout', 'payout_failure', 'payout_reversal', 'payout_transfer']);
  await drain(run);
  await assertConserved(run);
});

test('a payout that came back is called off before the week is over', async () => {
  const payout = await returned();
  expect((await cancel(payout)).payout.state).toBe('CANCELED');
  await drain(run);
  await assertConserved(run);
  expect(await balance()).toMatchObject({ inPayout: 0 });
});

test('a cancellation is refused for a payout on its way, another version, no reason or an unknown payout', async () => {
  const payout = await requested();
  expect(await cancel(payout, unique('key'), { reason: ' ' })).toBeRefused(422, 'validation_failed');
  expect(await cancel(payout, unique('key'), { expectedVersion: 7 })).toBeRefused(412, 'precondition_failed');
  expect(await cancel({ id: 'pot_none' })).toBeRefused(404, 'not_found');
  await act('jobs');
  expect(await cancel(payout)).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'in_transit', allowed: ['paid', 'failed'] },
  });
});

test('a cancellation that is repeated under its key answers again', async () => {
  const [payout, key] = [await requested(), unique('key')];
  const answers = [await cancel(payout, key), await cancel(payout, key)];
  expect(answers[1]).toEqual(answers[0]);
  expect(await cancel(payout)).toBeRefused(409, 'invalid_transition');
});

test('money of a payout returns once when the process that calls it off dies at any write', async () => {
  let [isDead, write] = [true, 0];
  for (; isDead; write += 1)
    for (const isBehind of [false, true]) {
      run = await beginRun(place, 1);
      const [payout, key] = [await requested(), unique('key')];
      await hold(payout);
      isDead = await dieWithin({ write, isBehind }, () => cancel(payout, key));
      await collection('idempotency_keys').updateMany(
        { state: 'running' },
        { $set: { leaseUntil: new Date(0) } },
      );
      const point = `${isBehind ? 'behind' : 'before'} write ${write}`;
      expect([point, (await cancel(payout, key)).payout]).toMatchObject([point, { state: 'CANCELED' }]);
      isDead = (await dieWithin({ write, isBehind }, () => world.stack.runJob('identity.payouts'))) || isDead;
      await drain(run);
      await assertConserved(run);
      const { amount } = payout.amount as { amount: number };
      expect([point, await balance()]).toMatchObject([point, { available: amount, inPayout: 0 }]);
      expect([point, await kinds(payout.id)]).toEqual([point, ['payout', 'payout_failure']]);
    }
  // Fewer writes would not have been all of it.
  expect(write).toBeGreaterThan(3);
}, 60_000);
