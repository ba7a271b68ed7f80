import { isDeepStrictEqual } from 'node:util';
import { proveLedger } from '../../subgraphs/identity/payments/ledger/proveLedger.ts';
import { collection } from '../authorization/world/collection.ts';
import { accountIdOf } from '../crashes/moneyWorld.ts';
import { type MoneyRun, paymentsOf } from './MoneyRun.ts';

const sum = (numbers: readonly unknown[]): number =>
  numbers.reduce<number>((all, one) => all + Number(one), 0);
type Stored = { _id: string; [member: string]: unknown };

const openStates = ['needs_response', 'under_review'];

/** Asserts that provider, records and ledger agree, after all operations are completed. */
export async function assertConserved(run: MoneyRun): Promise<void> {
  const dealerId = run.garage.id;
  const payments = await paymentsOf(run);
  const refunds = await collection('refunds').find({ dealerId }).toArray();
  const disputes = await collection('disputes').find({ dealerId }).toArray();
  const payouts = await collection('payouts').find({ dealerId }).toArray();
  const objects = [...run.stripe.objects.values()];
  for (const payment of payments) {
    const { _id, providerRef, amountCaptured, amountRefunded, state, operation } = payment;
    const intents = objects.filter(
      ({ object, metadata }) => object === 'payment_intent' && metadata.paymentId === _id,
    );
    const about = (type: string) =>
      objects.filter(({ object, payment_intent }) => object === type && payment_intent === providerRef);
    const paidBack = about('refund');
    const taken = about('dispute').flatMap((one) => one.balance_transactions as { amount: number }[]);
    expect([_id, 0 - sum(taken.map(({ amount }) => amount))]).toEqual([_id, payment.amountChargedBack ?? 0]);
    expect(operation).toBeNull();
    if (payment.paymentMethodId !== null) expect(intents.length).toBeLessThanOrEqual(1);
    // Without a kept card, an order whose answer was lost has a second intent, because the first secret is lost.
    const unknown = intents.filter(({ id }) => payment.paymentMethodId === null && id !== providerRef);
    for (const { status } of unknown) expect([_id, status]).toEqual([_id, 'requires_payment_method']);
    expect(run.stripe.charges.get(String(providerRef)) ?? 0).toBe(state === 'succeeded' ? 1 : 0);
    expect([_id, sum(intents.map(({ amount_received }) => amount_received))]).toEqual([_id, amountCaptured]);
    const counted = refunds.filter(({ paymentId, state }) => paymentId === _id && state !== 'canceled');
    expect([_id, sum(counted.map(({ amount }) => amount))]).toEqual([_id, amountRefunded]);
    // A refused refund of a lost dispute counts against the payment until finance settles it.
    const sent = counted.filter(({ state }) => state !== 'failed');
    expect([_id, sum(paidBack.map(({ amount }) => amount))]).toEqual([
      _id,
      sum(sent.map(({ amount }) => amount)),
    ]);
    expect(disputes.filter(({ paymentId }) => paymentId === _id).length).toBeLessThanOrEqual(1);
  }
  for (const { _id, outcome, dueAt } of disputes)
    expect([_id, outcome === null || dueAt === null]).toEqual([_id, true]);

  await assertSameMoney(run, payouts);
  const transactions = await collection('ledger_transactions').find({ dealerId }).toArray();
  const lines = transactions.flatMap(({ postings }) => postings as { account: string; amount: number }[]);
  const on = (account: string) =>
    sum(lines.filter((one) => one.account === account).map(({ amount }) => amount));
  const stateOf = (states: string[]) => (one: Stored) => states.includes(String(one.state));
  const amountOf = ({ amount }: Stored) => (amount as { amount: number }).amount;
  const captured = sum(payments.map(({ amountCaptured }) => amountCaptured));
  const refunded = sum(payments.map(({ amountRefunded }) => amountRefunded));
  const chargedBack = sum(payments.map(({ amountChargedBack = 0 }) => amountChargedBack));
  const paidOut = sum(payouts.filter(stateOf(['paid'])).map(amountOf));
  expect(sum(lines.map(({ amount }) => amount))).toBe(0);
  // Payouts are sent from the dealer's account at the provider.
  expect(on('psp_clearing')).toBe(-captured + refunded + chargedBack);
  expect(on('psp_connected')).toBe(paidOut);
  // Reserved amounts belong to open disputes and pending payouts.
  expect(on(`dealer:${dealerId}:held`)).toBe(
    sum(disputes.filter(stateOf(openStates)).map(({ amount }) => amount)),
  );
  expect(on(`dealer:${dealerId}:in_payout`)).toBe(
    sum(payouts.filter(stateOf(['pending', 'on_hold', 'in_transit', 'failed'])).map(amountOf)),
  );
  assertCommission(payments, refunds, transactions);
  expect((await proveLedger(run.market.installation.id)).mismatches).toEqual([]);

  for (const listingId of run.listings) {
    const listing = await collection('listings').findOne({ _id: listingId });
    const paid = payments.filter((payment) => payment.listingId === listingId);
    assertPrice(listing, paid, refunds);
    const holder = (listing?.reservation as { paymentId?: string } | null)?.paymentId;
    const holding = payments.find(({ _id }) => _id === holder);
    if (holder !== undefined) expect(['authorized', 'succeeded']).toContain(holding?.state);
  }
}

/**
 * Asserts that a listing was sold at most once, and that its buyer has not paid more than its price. Deposits that were
 * charged back, or that have a canceled refund, may stay with the dealer after the purchase.
 */
function assertPrice(listing: Stored | null, payments: readonly Stored[], refunds: readonly Stored[]): void {
  const [purchase, ...others] = payments.filter(
    ({ purpose, state }) => purpose === 'purchase' && state === 'succeeded',
  );
  expect(others).toEqual([]);
  if (!purchase) return;
  const { _id, amount, depositsDeducted, payer } = purchase;
  expect(listing).toMatchObject({
    state: 'sold',
    sale: { buyerUserId: (payer as { userId: string }).userId },
  });
  const price = listing?.price as { amount: number } | undefined;
  expect([_id, amount]).toEqual([_id, Number(price?.amount) - Number(depositsDeducted)]);
  const undone = new Set(
    refunds.filter(({ state }) => state === 'canceled').map(({ paymentId }) => paymentId),
  );
  const deposits = payments.filter(
    (one) =>
      one.purpose === 'deposit' &&
      isDeepStrictEqual(one.payer, payer) &&
      one.amountChargedBack === undefined &&
      !undone.has(one._id),
  );
  const kept = sum(deposits.map((one) => Number(one.amountCaptured) - Number(one.amountRefunded)));
  expect([_id, kept, kept <= Number(depositsDeducted)]).toEqual([_id, kept, true]);
}

/** Asserts that the ledger has the commission on the part of each payment that was not returned. */
function assertCommission(
  payments: readonly Stored[],
  refunds: readonly Stored[],
  transactions: readonly Stored[],
): void {
  for (const payment of payments.filter(({ state }) => state === 'succeeded')) {
    const { _id, amountChargedBack } = payment;
    const own = transactions.filter(({ paymentId }) => paymentId === _id);
    const lines = own.flatMap(({ postings }) => postings as { account: string; amount: number }[]);
    const returned = refunds.filter(({ paymentId, state }) => paymentId === _id && state !== 'canceled');
    const gone = Number(payment.amountRefunded) + Number(amountChargedBack ?? 0);
    const part = Math.max(0, 1 - gone / Number(payment.amountCaptured));
    const fee = payment.fee as { amount: number; taxAmount: number };
    for (const [account, owed, share] of [
      ['fees', fee.amount, 'feeAmount'],
      ['fee_tax', fee.taxAmount, 'feeTaxAmount'],
    ] as const) {
      const kept = sum(lines.filter((one) => one.account === account).map(({ amount }) => amount));
      const exact = owed - sum(returned.map((one) => one[share]));
      // A chargeback returns the commission on all returned money. The shares of refunds are rounded individually.
      if (amountChargedBack === undefined) expect([_id, account, kept]).toEqual([_id, account, exact]);
      else
        expect([_id, account, kept, Math.abs(kept - owed * part) <= 2]).toEqual([_id, account, kept, true]);
    }
  }
}

/**
 * Asserts that ledger and Stripe have equal balances: of the platform over all runs, and of the dealer. The amount of a
 * refused refund of a lost dispute remains at Stripe until finance settles it.
 */
async function assertSameMoney({ stripe, garage }: MoneyRun, payouts: readonly Stored[]): Promise<void> {
  const toppedUp = [...stripe.objects.values()].filter(({ object }) => object === 'topup');
  for (const currency of ['EUR', 'CHF']) {
    const of = currency.toLowerCase();
    const owed = await collection('refunds').find({ state: 'failed', currency }).toArray();
    const held = sum([...owed, ...toppedUp.filter((one) => one.currency === of)].map(({ amount }) => amount));
    const booked = await houseSum('psp_clearing', { currency });
    expect([currency, held - booked]).toEqual([currency, stripe.balance(null, of)]);
  }
  const ids = payouts.map(({ _id }) => _id);
  const connected = await houseSum('psp_connected', { payoutId: { $in: ids } });
  expect(0 - connected).toBe(stripe.balance(accountIdOf(garage.id), 'eur'));
  const objects = [...stripe.objects.values()];
  for (const { _id, state, transfer } of payouts) {
    const own = objects.filter(({ object, metadata }) => object === 'transfer' && metadata.payoutId === _id);
    expect([_id, own.length]).toEqual([_id, transfer === null ? 0 : 1]);
    for (const { reversed } of own) expect([_id, reversed]).toEqual([_id, state === 'canceled']);
    const paid = objects.filter(
      ({ object, metadata, status }) =>
        object === 'payout' && metadata.payoutId === _id && status !== 'failed',
    );
    expect([_id, paid.length]).toEqual([_id, state === 'paid' ? 1 : 0]);
  }
}

async function houseSum(account: string, filter: object = {}): Promise<number> {
  const pipeline = [
    { $match: filter },
    { $unwind: '$postings' },
    { $match: { 'postings.account': account } },
    { $group: { _id: null, sum: { $sum: '$postings.amount' } } },
  ];
  const [found] = await collection('ledger_transactions').aggregate<{ sum: number }>(pipeline).toArray();
  return found?.sum ?? 0;
}
