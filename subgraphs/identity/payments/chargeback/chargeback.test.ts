import { collection } from '../../../../test/authorization/world/collection.ts';
import { makeSale, openAccount, paidAmount, type Sale } from '../../../../test/crashes/moneyWorld.ts';
import { keepCard } from '../../../../test/money/MoneyRun.ts';
import { loggedErrors } from '../../../../test/support/loggedErrors.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import type { DisputedCharge, DisputeStatus } from '../../../../test/support/servers/openStripeDisputes.ts';
import type { StripeObject } from '../../../../test/support/servers/openStripeStore.ts';
import { stripeProduct } from '../../../../test/support/stripeProduct.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { proveLedger } from '../ledger/proveLedger.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { RefundModel } from '../refund/record/model.ts';

const world = stripeProduct();
const { market } = world;
/** What a sale earns, its commission with tax, and what Stripe charges for a dispute. */
const [earned, commission, providerFee] = [paidAmount - 1000, 1000, 1500];
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const key = () => ({ idempotencyKey: unique('key') });
let sale: Sale;
let finance: SeededUser;
let operator: SeededUser;
beforeAll(async () => {
  finance = await market.staff('finance');
  operator = await market.user({ roles: ['operator' as never] });
});
beforeEach(async () => {
  sale = await makeSale(world);
  await openAccount(world, sale.garage.id);
});
afterEach(async () => {
  world.stack.resetClock();
  world.stripe.faults = [];
  const { mismatches, house } = await proveLedger(market.installation.id);
  expect(mismatches).toEqual([]);
  for (const { account, amount, currency } of house)
    if (account === 'psp_clearing')
      expect([currency, -amount]).toEqual([currency, world.stripe.balance(null, currency.toLowerCase())]);
});

async function tell(dispute: StripeObject): Promise<void> {
  const { body, signature } = world.stripe.event(dispute, { type: 'charge.dispute.updated' });
  const event = { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
  await market.visitor.receivePaymentEvent(event);
}
async function runJobs(): Promise<void> {
  for (const job of ['payment-events', 'chargebacks']) await world.stack.runJob(`identity.${job}`);
}
/** A bank disputes the charge, and Stripe reports it. */
async function chargeBack(charge: DisputedCharge = {}, { intentId } = sale): Promise<StripeObject> {
  const dispute = world.stripe.dispute(intentId, charge);
  await tell(dispute);
  await runJobs();
  return dispute;
}
async function decide({ id }: StripeObject, status: DisputeStatus): Promise<void> {
  await tell(world.stripe.setDispute(id, status));
  await runJobs();
}
const accounts = async () =>
  (await collection('ledger_balances').findOne({ dealerId: sale.garage.id, currency: 'EUR' }))?.accounts;
const empty = { pending: 0, available: 0, held: 0, in_payout: 0 };
const kinds = async (paymentId = sale.paymentId) => {
  const booked = await market.records(LedgerTransactionModel).find({ paymentId });
  return booked.map(({ kind }) => kind).sort();
};
/** Commission and its tax that the ledger has of the payment. */
const commissionLeft = async () => {
  const { paymentId } = sale;
  const booked = await market.records(LedgerTransactionModel).find({ paymentId });
  return booked
    .flatMap(({ postings }) => postings)
    .reduce((sum, { account, amount }) => sum + (account.startsWith('fee') ? amount : 0), 0);
};
const payment = () =>
  finance.payment(
    { paymentId: sale.paymentId },
    'amountChargedBack { amount currency } amountRefunded { amount } chargebacks { state reason amount { amount } amountTaken { amount } }',
  );
const refund = (amount?: number) =>
  sale.garage.owner.createRefund({
    paymentId: sale.paymentId,
    reason: 'OTHER',
    ...(amount !== undefined && { amount: eur(amount) }),
    ...key(),
  });

test('a chargeback takes the amount from the dealer, its commission from the platform, and the fee from losses, once', async () => {
  const dispute = await chargeBack();
  await tell(dispute);
  await tell(dispute);
  await runJobs();
  expect(await kinds()).toEqual(['charge', 'chargeback', 'chargeback_fee', 'fee']);
  expect(await accounts()).toEqual(empty);
  expect(await commissionLeft()).toBe(0);
  const losses = await collection('ledger_transactions').findOne({
    paymentId: sale.paymentId,
    kind: 'chargeback_fee',
  });
  expect(losses?.postings).toMatchObject([
    { account: 'losses', ...eur(-providerFee) },
    { account: 'psp_clearing', ...eur(providerFee) },
  ]);
  const amount = { amount: paidAmount };
  expect(await payment()).toMatchObject({
    amountChargedBack: eur(paidAmount),
    amountRefunded: { amount: 0 },
    chargebacks: [{ state: 'OPEN', reason: 'fraudulent', amount, amountTaken: amount }],
  });
});

test('both sides of a payment read its chargebacks', async () => {
  await chargeBack();
  for (const side of [sale.buyer, sale.garage.owner]) {
    const { chargebacks } = await side.payment({ paymentId: sale.paymentId }, 'chargebacks { id state }');
    expect(chargebacks).toEqual([{ id: expect.stringMatching(/^chb_/), state: 'OPEN' }]);
  }
});

test('a payment that was charged back is neither refunded nor disputed, and refunded again after the bank returned it', async () => {
  const dispute = await chargeBack({ amount: 5000 });
  const detail = expect.stringContaining('charged this payment back');
  expect(await refund(100)).toBeRefused(409, 'refund_exceeds_captured', { detail });
  const complaint = { paymentId: sale.paymentId, reason: 'OTHER', text: 'No.' } as const;
  expect(await sale.buyer.openDispute(complaint)).toBeRefused(409, 'refund_exceeds_captured', { detail });
  await decide(dispute, 'won');
  expect((await refund()).refund).toMatchObject({ state: 'SUCCEEDED', amount: eur(paidAmount) });
  expect(await accounts()).toEqual(empty);
});

test('a chargeback and its return change the version of the payment and are published with the amount', async () => {
  const stored = async () => {
    const [found] = await market.records(PaymentModel).find({ _id: sale.paymentId });
    if (!found) throw new Error('The payment is gone.');
    return found;
  };
  const before = await stored();
  world.stack.advance(1000);
  const dispute = await chargeBack({ amount: 5000 });
  const taken = await stored();
  expect(taken.version).toBe(before.version + 1);
  expect(taken.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  world.stack.advance(1000);
  await decide(dispute, 'won');
  expect((await stored()).updatedAt.getTime()).toBeGreaterThan(taken.updatedAt.getTime());
  const data = { state: 'succeeded', chargeback: eur(5000) };
  const published = ((await stored())?.outbox ?? []).filter(({ type }: { type: string }) =>
    /charge/.test(type),
  );
  expect(published).toMatchObject([
    { type: 'payment.charged_back', data },
    { type: 'payment.chargeback_returned', data },
  ]);
  const booked = await market.records(LedgerTransactionModel).find({ kind: 'chargeback' });
  expect(booked).toContainEqual(
    expect.objectContaining({
      paymentId: sale.paymentId,
      source: { type: 'chargeback', id: expect.stringMatching(/^chb_\w+:txn_/) },
    }),
  );
});

test('a won chargeback returns the amount to the dealer and the commission to the platform', async () => {
  const dispute = await chargeBack({ amount: 5000 });
  expect(await commissionLeft()).toBe(commission - 406);
  expect(await accounts()).toEqual({ ...empty, available: earned - 5000 + 406 });
  await decide(dispute, 'won');
  expect(await commissionLeft()).toBe(commission);
  expect(await accounts()).toEqual({ ...empty, available: earned });
  expect(await payment()).toMatchObject({
    amountChargedBack: eur(0),
    chargebacks: [{ state: 'WON', amountTaken: { amount: 0 } }],
  });
  expect(await kinds()).toEqual(['charge', 'chargeback', 'chargeback_fee', 'chargeback_won', 'fee']);
});

test('a lost chargeback moves nothing more, and its decision is read for 90 days', async () => {
  const dispute = await chargeBack();
  const before = await kinds();
  await decide(dispute, 'lost');
  expect(await kinds()).toEqual(before);
  const stored = () => collection('chargebacks').findOne({ ref: dispute.id });
  expect(await stored()).toMatchObject({ state: 'lost', dueAt: expect.any(Date) });
  world.stack.advance(60 * 24 * 3_600_000);
  await runJobs();
  expect(await stored()).toMatchObject({ state: 'lost', dueAt: expect.any(Date) });
  world.stack.advance(91 * 24 * 3_600_000);
  await runJobs();
  expect(await stored()).toMatchObject({ state: 'lost', dueAt: null });
});

test('an inquiry moves nothing until the bank takes the money', async () => {
  const asked = await chargeBack({ isInquiry: true });
  expect(await kinds()).toEqual(['charge', 'fee']);
  expect(await payment()).toMatchObject({ chargebacks: [{ state: 'INQUIRY', amountTaken: { amount: 0 } }] });
  expect(await refund(300)).not.toBeRefused();
  await decide(asked, 'needs_response');
  expect(await payment()).toMatchObject({
    amountChargedBack: eur(paidAmount),
    chargebacks: [{ state: 'OPEN' }],
  });
  sale = await makeSale(world);
  await decide(await chargeBack({ isInquiry: true }), 'warning_closed');
  expect(await kinds()).toEqual(['charge', 'fee']);
  expect(await payment()).toMatchObject({ chargebacks: [{ state: 'CLOSED' }] });
});

test('a bank that charges back what was refunded before takes the commission back once', async () => {
  await refund(2300);
  await chargeBack();
  expect(await commissionLeft()).toBe(0);
  // Who has refunded a part pays it twice, unless the bank decides for the dealer.
  expect(await accounts()).toEqual({ ...empty, available: -2300 });
});

test('a chargeback after a payout takes the balance below zero, and no payout is made until it is earned', async () => {
  const dealerId = sale.garage.id;
  const request = () => sale.garage.owner.requestPayout({ dealerId, ...key() });
  expect(await request()).not.toBeRefused();
  await chargeBack();
  expect(await accounts()).toEqual({ ...empty, available: -earned, in_payout: earned });
  expect(await request()).toBeRefused(409, 'insufficient_balance');
  const schedule = { 'payout.schedule': { interval: 'daily' }, 'payout.accountState': 'active' };
  await collection('dealers').updateOne({ _id: dealerId }, { $set: schedule });
  await world.stack.runJob('identity.scheduled-payouts');
  expect(await collection('payouts').countDocuments({ dealerId })).toBe(1);
  await makeSale(world, sale.garage);
  expect(await accounts()).toMatchObject({ available: 0 });
  expect(await request()).toBeRefused(409, 'insufficient_balance');
});

test('a payout that was set aside before a chargeback is canceled instead of sent, and covers the debt', async () => {
  const dealerId = sale.garage.id;
  const { payout } = await sale.garage.owner.requestPayout({ dealerId, ...key() });
  await chargeBack();
  world.stack.advance(10 * 60_000);
  await world.stack.runJob('identity.payouts');
  expect(await collection('payouts').findOne({ _id: payout.id })).toMatchObject({ state: 'canceled' });
  expect(await accounts()).toEqual(empty);
});

test('a chargeback ends the open dispute about its payment as lost, and the payer gets the money once', async () => {
  const { paymentId, buyer } = sale;
  const { dispute } = await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) });
  expect(await accounts()).toEqual({ ...empty, available: earned - 9000, held: 9000 });
  await chargeBack();
  expect(await accounts()).toEqual(empty);
  const { dispute: ended } = await buyer.payment(
    { paymentId },
    'dispute { state outcome { refunded { amount } statement } }',
  );
  expect(ended).toEqual({
    state: 'LOST',
    outcome: { refunded: { amount: 0 }, statement: expect.stringContaining('charged the payment back') },
  });
  expect(await market.records(RefundModel).count({ paymentId })).toBe(0);
  const decision = { disputeId: dispute.id, outcome: 'LOST', statement: 'So be it.', ...key() } as const;
  expect(await finance.resolveDispute(decision)).toBeRefused(409, 'invalid_transition');
  const [audited] = await market.audits({ 'target.id': dispute.id });
  expect(audited).toMatchObject({ action: 'resolveDispute', actor: { type: 'system' } });
});

test('a refund that Stripe refuses because of an unknown chargeback is canceled, and the chargeback is found', async () => {
  world.stripe.dispute(sale.intentId);
  const detail = expect.stringContaining('charged this payment back');
  expect(await refund(2300)).toBeRefused(409, 'refund_exceeds_captured', { detail });
  expect(await accounts()).toEqual({ ...empty, available: earned });
  await world.stack.runJob('identity.chargeback-search');
  await runJobs();
  expect(await payment()).toMatchObject({
    amountChargedBack: eur(paidAmount),
    amountRefunded: { amount: 0 },
  });
  expect(await accounts()).toEqual(empty);
});

test.each(['before', 'after'] as const)(
  'the refund of a lost dispute that Stripe refuses %s the chargeback is booked goes back to the dealer',
  async (when) => {
    const { paymentId, buyer } = sale;
    const { dispute } = await buyer.openDispute({
      paymentId,
      reason: 'OTHER',
      text: 'No.',
      amount: eur(4000),
    });
    await finance.resolveDispute({ disputeId: dispute.id, outcome: 'LOST', statement: 'So.', ...key() });
    const charged = world.stripe.dispute(sale.intentId);
    const book = async () => {
      await tell(charged);
      await runJobs();
    };
    if (when === 'after') await book();
    await world.stack.runJob('identity.refunds');
    if (when === 'before') {
      await book();
      // The refusal can be stored after the chargeback was booked.
      const [owed] = await market.records(RefundModel).find({ paymentId });
      await collection('refunds').updateOne({ _id: String(owed?._id) }, { $set: { givenUpAt: new Date() } });
      const settlement = { refundId: String(owed?._id), reference: 'T 17' };
      expect(await finance.settleRefund(settlement)).toBeRefused(409, 'refund_exceeds_captured');
      await world.stack.runJob('identity.refunds');
    }
    expect(await market.records(RefundModel).find({ paymentId })).toMatchObject([
      { state: 'canceled', failureCode: 'charge_disputed' },
    ]);
    expect(await commissionLeft()).toBe(0);
    expect(await accounts()).toEqual(empty);
    expect(await payment()).toMatchObject({ amountRefunded: { amount: 0 } });
    const errors = await loggedErrors(world.stack, async () => {
      await decide(charged, 'lost');
      await decide(charged, 'won');
      await decide(charged, 'won');
    });
    expect(errors).toEqual([
      [expect.objectContaining({ paymentId, disputeId: dispute.id }), expect.stringContaining('refund it')],
    ]);
    expect(await commissionLeft()).toBe(commission);
    expect(await accounts()).toEqual({ ...empty, available: earned });
    expect((await refund(4000)).refund).toMatchObject({ state: 'SUCCEEDED' });
  },
);

test('what the payer is still owed after a chargeback of less than a dispute has lost is in the log', async () => {
  const { paymentId, buyer } = sale;
  const lost = { paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) } as const;
  const { id: disputeId } = (await buyer.openDispute(lost)).dispute;
  await finance.resolveDispute({ disputeId, outcome: 'LOST', statement: 'So.', ...key() });
  await chargeBack({ amount: 5000 });
  const errors = await loggedErrors(world.stack, () => world.stack.runJob('identity.refunds'));
  const [refunded] = await market.records(RefundModel).find({ paymentId });
  expect(refunded).toMatchObject({ state: 'canceled', failureCode: 'charge_disputed' });
  const subject = { paymentId, disputeId, refundId: refunded?._id, ...eur(4000) };
  expect(errors).toEqual([[subject, expect.stringContaining('owed the rest')]]);
});

/** The payer's bank sends back a refund for the fifth time, so that it waits for finance. */
async function giveUp(refundId: string): Promise<void> {
  const sent = [...world.stripe.objects.values()].find(
    ({ object, metadata }) => object === 'refund' && metadata?.refundId === refundId,
  );
  if (!sent) throw new Error('Stripe has no such refund.');
  const sentBack = { amount: 0, status: 'failed', failure_reason: 'lost_or_stolen_card' };
  world.stripe.objects.set(sent.id, { ...sent, ...sentBack });
  await collection('refunds').updateOne({ _id: refundId }, { $set: { attempt: 5, dueAt: new Date(0) } });
  await world.stack.runJob('identity.refunds');
  expect(await collection('refunds').findOne({ _id: refundId })).toMatchObject({
    state: 'failed',
    givenUpAt: expect.any(Date),
  });
}

test('a refund that was given up is canceled when a chargeback returns the money to the payer', async () => {
  const { id: refundId } = (await refund(2300)).refund;
  await giveUp(refundId);
  const stored = async () => {
    const [found] = await market.records(RefundModel).find({ _id: refundId });
    if (!found) throw new Error('The refund is gone.');
    return found;
  };
  const before = await stored();
  const listed = async () => (await finance.failedRefunds({ first: 100 })).nodes.map(({ id }) => id);
  expect(await listed()).toContain(refundId);
  await chargeBack();
  expect(await stored()).toMatchObject({ givenUpAt: null, version: before.version + 1 });
  expect((await stored()).updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  expect(await listed()).not.toContain(refundId);
  const settle = () => finance.settleRefund({ refundId, reference: 'T 17' });
  expect(await settle()).toBeRefused(409);
  await world.stack.runJob('identity.refunds');
  expect(await stored()).toMatchObject({
    state: 'canceled',
    failureCode: 'charge_disputed',
    settlement: null,
  });
  expect(await settle()).toBeRefused(409, 'invalid_transition');
  expect(await payment()).toMatchObject({
    amountChargedBack: eur(paidAmount),
    amountRefunded: { amount: 0 },
  });
  expect(await accounts()).toEqual(empty);
  expect(await commissionLeft()).toBe(0);
});

test('a refund that a chargeback canceled is in the log when the bank decides for the dealer, because the payer has nothing', async () => {
  const { id: refundId } = (await refund(2300)).refund;
  await giveUp(refundId);
  const dispute = await chargeBack();
  await world.stack.runJob('identity.refunds');
  expect(await collection('refunds').findOne({ _id: refundId })).toMatchObject({ state: 'canceled' });
  const errors = await loggedErrors(world.stack, () => decide(dispute, 'won'));
  const subject = { paymentId: sale.paymentId, disputeId: null, refundId, ...eur(2300) };
  expect(errors).toEqual([[subject, expect.stringContaining('the payer is owed')]]);
});

test('what the payer is still owed after a chargeback of less than a refund that it cancels is in the log', async () => {
  const { id: refundId } = (await refund(2300)).refund;
  await giveUp(refundId);
  await chargeBack({ amount: 1000 });
  const errors = await loggedErrors(world.stack, () => world.stack.runJob('identity.refunds'));
  const subject = { paymentId: sale.paymentId, disputeId: null, refundId, ...eur(1300) };
  expect(errors).toEqual([[subject, expect.stringContaining('owed the rest')]]);
});

test('a chargeback does not touch refunds of another payment, or refunds that were not given up', async () => {
  const { id: refundId } = (await refund(2300)).refund;
  await giveUp(refundId);
  const other = await makeSale(world);
  await chargeBack({}, other);
  expect(await collection('refunds').findOne({ _id: refundId })).toMatchObject({
    givenUpAt: expect.any(Date),
    dueAt: null,
  });
  const dueAt = new Date(Date.now() + 3_600_000);
  const waits = { state: 'failed', attempt: 1, givenUpAt: null, dueAt };
  await collection('refunds').updateOne({ _id: refundId }, { $set: waits });
  await chargeBack();
  expect(await collection('refunds').findOne({ _id: refundId })).toMatchObject(waits);
  world.stack.advance(7_200_000);
  await world.stack.runJob('identity.refunds');
  expect(await collection('refunds').findOne({ _id: refundId })).toMatchObject({ state: 'canceled' });
});

test('a refund that is given up after a chargeback is settled only if the chargeback is won', async () => {
  const { id: refundId } = (await refund(2300)).refund;
  const dispute = await chargeBack({ amount: 100 });
  await giveUp(refundId);
  const settle = () => finance.settleRefund({ refundId, reference: 'T 17' });
  const detail = expect.stringContaining('charged this payment back');
  expect(await settle()).toBeRefused(409, 'refund_exceeds_captured', { detail });
  await decide(dispute, 'won');
  expect((await settle()).refund).toMatchObject({ settledByHandAt: expect.anything() });
});

test('a chargeback whose event is lost is found within 30 days, and one that is known is read four times a day', async () => {
  const dispute = world.stripe.dispute(sale.intentId);
  world.stack.advance(29 * 24 * 3_600_000);
  await world.stack.runJob('identity.chargeback-search');
  await world.stack.runJob('identity.chargeback-search');
  await runJobs();
  expect(await collection('chargebacks').countDocuments({ ref: dispute.id })).toBe(1);
  expect(await accounts()).toEqual(empty);
  world.stripe.setDispute(dispute.id, 'won');
  world.stack.advance(7 * 3_600_000);
  await runJobs();
  expect(await accounts()).toEqual({ ...empty, available: earned });
});

test('a chargeback of another account, and one in another currency than its payment, is not stored', async () => {
  const dispute = world.stripe.dispute(sale.intentId, { isInquiry: true });
  world.stripe.objects.set(dispute.id, { ...dispute, currency: 'usd' });
  const other = { ...dispute, id: unique('dp'), payment_intent: 'pi_of_others' };
  world.stripe.objects.set(other.id, other);
  const errors = await loggedErrors(world.stack, async () => {
    for (const one of [dispute, other]) await tell(one);
    await runJobs();
  });
  expect(await collection('chargebacks').countDocuments({ ref: { $in: [dispute.id, other.id] } })).toBe(0);
  expect(errors).toEqual([[expect.anything(), expect.stringContaining('not booked')]]);
});

test('earnings that are not available yet are taken first', async () => {
  const intentId = unique('pi');
  const { garage, buyer } = sale;
  const sold = { payerId: buyer.id, dealerId: garage.id, heldDays: 7 };
  const changes = { provider: 'stripe', providerRef: intentId } as const;
  const paymentId = await sellThrough(world.stack, market.installation, { ...sold, changes });
  const paid = { amount_received: paidAmount, currency: 'eur', metadata: { paymentId } };
  world.stripe.objects.set(intentId, {
    id: intentId,
    object: 'payment_intent',
    status: 'succeeded',
    ...paid,
  });
  expect(await accounts()).toEqual({ ...empty, pending: earned, available: earned });
  const dispute = await chargeBack({}, { ...sale, intentId });
  expect(await accounts()).toEqual({ ...empty, available: earned });
  await decide(dispute, 'won');
  expect(await accounts()).toEqual({ ...empty, available: 2 * earned });
});

test('a payment that a chargeback and a lost dispute return by halves returns exactly its commission', async () => {
  const intentId = unique('pi');
  const { garage, buyer } = sale;
  // Half of either is rounded.
  const fee = { rateBps: 0, fixed: 841, taxRateBps: 0, frozenAt: new Date(), amount: 841, taxAmount: 161 };
  const changes = { provider: 'stripe', providerRef: intentId, fee } as const;
  const sold = { payerId: buyer.id, dealerId: garage.id, heldDays: 0, changes };
  const paymentId = await sellThrough(world.stack, market.installation, sold);
  const paid = { amount_received: paidAmount, currency: 'eur', metadata: { paymentId } };
  world.stripe.objects.set(intentId, {
    id: intentId,
    object: 'payment_intent',
    status: 'succeeded',
    ...paid,
  });
  sale = { ...sale, paymentId, intentId };
  const { id: disputeId } = (await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.' })).dispute;
  await chargeBack({ amount: paidAmount / 2 });
  const lost = { disputeId, outcome: 'LOST', statement: 'So.', ...key() } as const;
  expect((await finance.resolveDispute(lost)).dispute).toMatchObject({ amount: eur(paidAmount / 2) });
  expect(await commissionLeft()).toBe(0);
  await world.stack.runJob('identity.refunds');
  const [refused] = await market.records(RefundModel).find({ paymentId });
  const settlement = { refundId: String(refused?._id), reference: 'T 17' };
  expect(await finance.settleRefund(settlement)).not.toBeRefused();
  expect(await commissionLeft()).toBe(0);
});

test('the chargeback of a part of a promotion is taken from the fees of the platform', async () => {
  const { id: installationId } = market.installation;
  const { buyer } = sale;
  const listing = await buyer.listing({ published: true });
  const paymentMethodId = await keepCard({ ...world, finance }, 'pm_card_visa', buyer);
  const promote = { purpose: 'PROMOTION', listingId: listing.id, promotion: 'TOP', paymentMethodId } as const;
  const { payment: paid } = await buyer.createPayment({ ...promote, ...key() });
  const record = await collection('payments').findOne({ _id: paid.id });
  const amount = 100;
  expect(paid.amount.amount).toBeGreaterThan(amount);
  await chargeBack({ amount }, { ...sale, intentId: String(record?.providerRef) });
  const found = await collection('ledger_transactions').findOne({ paymentId: paid.id, kind: 'chargeback' });
  expect(found).toMatchObject({
    installationId,
    dealerId: null,
    postings: [
      { account: 'fees', amount: -amount },
      { account: 'psp_clearing', amount },
    ],
  });
});

test('a deposit that was charged back no longer holds its listing', async () => {
  const garage = await payableDealer(market);
  const { id: listingId } = await garage.listing({ published: true, price });
  const paymentMethodId = await keepCard({ ...world, finance }, 'pm_card_visa', sale.buyer);
  const deposit = { purpose: 'DEPOSIT', listingId, paymentMethodId } as const;
  const { payment: paid } = await sale.buyer.createPayment({ ...deposit, ...key() });
  const listing = () => collection('listings').findOne({ _id: listingId });
  expect(await listing()).toMatchObject({ state: 'reserved' });
  const record = await collection('payments').findOne({ _id: paid.id });
  const intentId = String(record?.providerRef);
  await chargeBack({ amount: 100 }, { ...sale, intentId });
  expect(await listing()).toMatchObject({ state: 'reserved' });
  await chargeBack({ amount: paid.amount.amount - 100 }, { ...sale, intentId });
  expect(await listing()).toMatchObject({ state: 'active', reservation: null });
});

test('a chargeback of a capture that is not booked yet waits for it', async () => {
  await collection('payments').updateOne({ _id: sale.paymentId }, { $set: { state: 'processing' } });
  await chargeBack();
  expect(await kinds()).toEqual(['charge', 'fee']);
  await collection('payments').updateOne({ _id: sale.paymentId }, { $set: { state: 'succeeded' } });
  world.stack.advance(61_000);
  await runJobs();
  expect(await accounts()).toEqual(empty);
});

test('a payment that ended without a capture is in the log when its bank charges it back, and is read once', async () => {
  await collection('payments').updateOne({ _id: sale.paymentId }, { $set: { state: 'canceled' } });
  const dispute = world.stripe.dispute(sale.intentId, { isInquiry: true });
  const errors = await loggedErrors(world.stack, async () => {
    await tell(dispute);
    await runJobs();
    world.stack.advance(24 * 3_600_000);
    await runJobs();
  });
  const subject = expect.objectContaining({ paymentId: sale.paymentId, chargebackRef: dispute.id });
  expect(errors).toEqual([[subject, expect.stringContaining('not booked')]]);
  expect(await kinds()).toEqual(['charge', 'fee']);
  expect(await collection('chargebacks').findOne({ ref: dispute.id })).toMatchObject({ dueAt: null });
});

test('a chargeback of a capture that is never booked is read less and less often', async () => {
  await collection('payments').updateOne({ _id: sale.paymentId }, { $set: { state: 'processing' } });
  const dispute = world.stripe.dispute(sale.intentId, { isInquiry: true });
  await tell(dispute);
  for (let passed = 0; passed < 120; passed += 1) {
    await runJobs();
    world.stack.advance(60_000);
  }
  const reads = world.stripe.calls.filter((call) => call === `GET /v1/disputes/${dispute.id}`);
  expect(reads.length).toBeGreaterThan(4);
  expect(reads.length).toBeLessThan(12);
});

test('a chargeback of a part of what is disputed leaves the rest of the dispute open, and finance pays what it loses', async () => {
  const { paymentId, buyer } = sale;
  const { dispute } = await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) });
  await chargeBack({ amount: 2000 });
  const shown = async () =>
    (await buyer.payment({ paymentId }, 'dispute { state amount { amount } }')).dispute;
  expect(await shown()).toEqual({ state: 'NEEDS_RESPONSE', amount: { amount: 7000 } });
  expect(await accounts()).toMatchObject({ held: 7000 });
  await finance.resolveDispute({ disputeId: dispute.id, outcome: 'LOST', statement: 'So.', ...key() });
  await world.stack.runJob('identity.refunds');
  const [owed] = await market.records(RefundModel).find({ paymentId });
  expect(owed).toMatchObject({ amount: 7000, state: 'failed', givenUpAt: expect.any(Date) });
  const settled = await finance.settleRefund({ refundId: String(owed?._id), reference: 'T 17' });
  expect(settled.refund).toMatchObject({ settledByHandAt: expect.anything() });
  expect(await accounts()).toMatchObject({ held: 0 });
  expect(await payment()).toMatchObject({ amountChargedBack: eur(2000), amountRefunded: { amount: 7000 } });
});

test('two chargebacks that together return what is disputed end the dispute as lost', async () => {
  const { paymentId, buyer } = sale;
  await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) });
  await chargeBack({ amount: 2000 });
  await chargeBack({ amount: 7000 });
  const { dispute } = await buyer.payment({ paymentId }, 'dispute { state outcome { refunded { amount } } }');
  expect(dispute).toEqual({ state: 'LOST', outcome: { refunded: { amount: 0 } } });
  expect(await accounts()).toMatchObject({ held: 0 });
});

test('a dealer is not closed while a bank decides about a chargeback, whose money may return to the dealer', async () => {
  const dispute = await chargeBack();
  const close = () => sale.garage.owner.closeDealer({ dealerId: sale.garage.id });
  expect(await accounts()).toEqual(empty);
  expect(await close()).toBeRefused(409, 'open_obligations', { obligations: ['chargebacks'] });
  await decide(dispute, 'lost');
  expect(await close()).not.toBeRefused();
});

test('money of a chargeback that a bank returns to a closed dealer is in the log, so that finance can transfer it', async () => {
  const dispute = await chargeBack();
  await decide(dispute, 'lost');
  expect(await sale.garage.owner.closeDealer({ dealerId: sale.garage.id })).not.toBeRefused();
  await world.stack.runJob('identity.dealer-closings');
  expect(await collection('dealers').findOne({ _id: sale.garage.id })).toMatchObject({ state: 'closed' });
  const errors = await loggedErrors(world.stack, () => decide(dispute, 'won'));
  const subject = { dealerId: sale.garage.id, paymentId: sale.paymentId, ...eur(earned) };
  expect(errors).toEqual([[subject, expect.stringContaining('closed dealer')]]);
  expect(await accounts()).toEqual({ ...empty, available: earned });
});

/** Closes the dealer of the sale, to whom all of its earnings were paid out. */
async function closeGarage(): Promise<void> {
  const dealerId = sale.garage.id;
  const postings = [
    { account: `dealer:${dealerId}:available`, amount: eur(-earned) },
    { account: 'bank', amount: eur(earned) },
  ];
  const reason = 'Paid out in cash';
  expect(await operator.createLedgerAdjustment({ reason, postings, ...key() })).not.toBeRefused();
  expect(await sale.garage.owner.closeDealer({ dealerId })).not.toBeRefused();
}

test('the debt of a closed dealer after a dispute, and the money that its decision returns, are in the log', async () => {
  const { paymentId, garage, buyer } = sale;
  await closeGarage();
  const complaint = { paymentId, reason: 'NOT_RECEIVED', text: 'Nobody answers.' } as const;
  const subject = { dealerId: garage.id, paymentId };
  expect(await loggedErrors(world.stack, () => buyer.openDispute(complaint))).toEqual([
    [{ ...subject, ...eur(-paidAmount) }, expect.stringContaining('closed dealer owes money')],
  ]);
  const postings = [
    { account: 'bank', amount: eur(-paidAmount) },
    { account: `dealer:${garage.id}:available`, amount: eur(paidAmount) },
  ];
  await operator.createLedgerAdjustment({ reason: 'Collected', postings, ...key() });
  const disputeId = String((await buyer.payment({ paymentId }, 'dispute { id }')).dispute?.id);
  const decision = { disputeId, outcome: 'WON', statement: 'It was delivered.', ...key() } as const;
  expect(await loggedErrors(world.stack, () => finance.resolveDispute(decision))).toEqual([
    [{ ...subject, ...eur(paidAmount) }, expect.stringContaining('money returned to a closed dealer')],
  ]);
});

test('the debt of a closed dealer after a chargeback that was an inquiry is in the log', async () => {
  const { paymentId, garage } = sale;
  const inquiry = await chargeBack({ isInquiry: true });
  await closeGarage();
  expect(await loggedErrors(world.stack, () => decide(inquiry, 'needs_response'))).toEqual([
    [
      { dealerId: garage.id, paymentId, ...eur(-earned) },
      expect.stringContaining('closed dealer owes money'),
    ],
  ]);
});

test('a chargeback that a bank decides for the dealer after it has ended a dispute is in the log', async () => {
  const { paymentId, buyer } = sale;
  const { dispute } = await buyer.openDispute({ paymentId, reason: 'NOT_RECEIVED', text: 'No car.' });
  const chargeback = await chargeBack();
  const errors = await loggedErrors(world.stack, () => decide(chargeback, 'won'));
  const subject = { paymentId, disputeId: dispute.id };
  expect(errors).toEqual([[subject, expect.stringContaining('the dispute that it ended was not decided')]]);
  await tell(world.stripe.objects.get(chargeback.id) as StripeObject);
  expect(await loggedErrors(world.stack, runJobs)).toEqual([]);
});

test('a chargeback that the bank has not decided is read for as long as it takes', async () => {
  const dispute = await chargeBack();
  for (let months = 0; months < 4; months += 1) {
    world.stack.advance(30 * 24 * 3_600_000);
    await runJobs();
  }
  const found = await collection('chargebacks').findOne({ ref: dispute.id });
  expect(found).toMatchObject({ state: 'open', closedAt: null, dueAt: expect.any(Date) });
  const waitMs = Number(found?.dueAt) - world.stack.platform.now();
  expect(waitMs).toBeLessThanOrEqual(6 * 3_600_000);
  expect(waitMs).toBeGreaterThan(5 * 3_600_000);
});

test('a chargeback whose decision changes is read for 90 days after the change', async () => {
  const day = 24 * 3_600_000;
  const dispute = await chargeBack();
  await decide(dispute, 'lost');
  world.stack.advance(80 * day);
  const changedAt = world.stack.platform.now();
  await decide(dispute, 'won');
  const stored = () => collection('chargebacks').findOne({ ref: dispute.id });
  expect(Number((await stored())?.closedAt)).toBeGreaterThanOrEqual(changedAt);
  world.stack.advance(30 * day);
  await runJobs();
  expect(await stored()).toMatchObject({ state: 'won', dueAt: expect.any(Date) });
  world.stack.advance(91 * day);
  await runJobs();
  expect(await stored()).toMatchObject({ state: 'won', dueAt: null });
});

test('a chargeback that was taken and returned before it was read is booked in the order of the bank', async () => {
  const dispute = world.stripe.dispute(sale.intentId, { amount: 5000 });
  const won = world.stripe.setDispute(dispute.id, 'won');
  const latestFirst = won.balance_transactions.toReversed();
  world.stripe.objects.set(dispute.id, { ...won, balance_transactions: latestFirst });
  await tell(dispute);
  await runJobs();
  const found = await market.records(PaymentModel).findOne({ _id: sale.paymentId });
  const types = (found?.outbox ?? []).map(({ type }: { type: string }) => type);
  expect(types.filter((type) => type.includes('charge'))).toEqual([
    'payment.charged_back',
    'payment.chargeback_returned',
  ]);
  expect(await accounts()).toEqual({ ...empty, available: earned });
});

test('a movement of a chargeback that is only a fee is taken from losses', async () => {
  const dispute = world.stripe.dispute(sale.intentId, { isInquiry: true });
  const fee = {
    object: 'balance_transaction',
    id: unique('txn'),
    amount: 0,
    fee: 500,
    net: -500,
    currency: 'eur',
  };
  world.stripe.objects.set(dispute.id, { ...dispute, balance_transactions: [fee] });
  await tell(dispute);
  await runJobs();
  expect(await kinds()).toEqual(['charge', 'chargeback_fee', 'fee']);
  expect(await payment()).toMatchObject({ amountChargedBack: eur(0) });
});

test('a chargeback of a part that the bank returns leaves the dispute about the rest as it is', async () => {
  const { paymentId, buyer } = sale;
  await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) });
  const charged = await chargeBack({ amount: 2000 });
  await decide(charged, 'won');
  const { dispute } = await buyer.payment({ paymentId }, 'dispute { state amount { amount } }');
  expect(dispute).toEqual({ state: 'NEEDS_RESPONSE', amount: { amount: 7000 } });
  expect(await accounts()).toEqual({ ...empty, available: earned - 7000, held: 7000 });
});

test.each(['LOST', 'WON'] as const)(
  'what a chargeback took from a dispute that is decided as %s is in the log once the bank returns it, if the payer is right',
  async (outcome) => {
    const { paymentId, buyer } = sale;
    const complaint = { paymentId, reason: 'OTHER', text: 'No.', amount: eur(9000) } as const;
    const { id: disputeId } = (await buyer.openDispute(complaint)).dispute;
    const charged = await chargeBack({ amount: 2000 });
    await finance.resolveDispute({ disputeId, outcome, statement: 'So.', ...key() });
    await world.stack.runJob('identity.refunds');
    const [owed] = await market.records(RefundModel).find({ paymentId });
    if (owed) await finance.settleRefund({ refundId: owed._id, reference: 'T 17' });
    const errors = await loggedErrors(world.stack, () => decide(charged, 'won'));
    const subject = { paymentId, disputeId, ...eur(2000) };
    const logged = [[subject, expect.stringContaining('the dispute that it reduced')]];
    expect(errors).toEqual(outcome === 'LOST' ? logged : []);
  },
);
