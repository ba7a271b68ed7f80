import { proveLedger } from '../../subgraphs/identity/payments/ledger/proveLedger.ts';
import { collection } from '../authorization/collection.ts';
import { accountIdOf } from '../crashes/moneyWorld.ts';
import { type MoneyRun, paymentsOf } from './MoneyRun.ts';

const sum = (numbers: readonly unknown[]): number =>
  numbers.reduce<number>((all, one) => all + Number(one), 0);
type Stored = { _id: string; [member: string]: unknown };

const openStates = ['needs_response', 'under_review'];

/** After everything has come to its end: provider, records and books tell of the same money. */
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
    const paidBack = objects.filter(({ payment_intent }) => payment_intent === providerRef);
    expect(operation).toBeNull();
    if (payment.paymentMethodId !== null) expect(intents.length).toBeLessThanOrEqual(1);
    // Without a kept card an order whose answer was lost may be made again: nobody knows the secret of the first intent.
    const unknown = intents.filter(({ id }) => payment.paymentMethodId === null && id !== providerRef);
    for (const { status } of unknown) expect([_id, status]).toEqual([_id, 'requires_payment_method']);
    expect(run.stripe.charges.get(String(providerRef)) ?? 0).toBe(state === 'succeeded' ? 1 : 0);
    expect([_id, sum(intents.map(({ amount_received }) => amount_received))]).toEqual([_id, amountCaptured]);
    const counted = refunds.filter(({ paymentId, state }) => paymentId === _id && state !== 'canceled');
    expect([_id, sum(counted.map(({ amount }) => amount))]).toEqual([_id, amountRefunded]);
    // What the provider refused of a lost dispute counts against the payment until finance pays it.
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
  const paidOut = sum(payouts.filter(stateOf(['paid'])).map(amountOf));
  expect(sum(lines.map(({ amount }) => amount))).toBe(0);
  // Payouts leave by the dealer's account at the provider.
  expect(on('psp_clearing')).toBe(-captured + refunded);
  expect(on('psp_connected')).toBe(paidOut);
  // What is set aside is what the records say: for disputes that are open, and payouts that are on their way.
  expect(on(`dealer:${dealerId}:held`)).toBe(
    sum(disputes.filter(stateOf(openStates)).map(({ amount }) => amount)),
  );
  expect(on(`dealer:${dealerId}:in_payout`)).toBe(
    sum(payouts.filter(stateOf(['pending', 'on_hold', 'in_transit', 'failed'])).map(amountOf)),
  );
  const feesOf = (fee: unknown) => fee as { amount: number; taxAmount: number };
  const succeeded = payments.filter(stateOf(['succeeded']));
  const standing = refunds.filter(({ state }) => state !== 'canceled');
  expect(on('fees')).toBe(
    sum(succeeded.map(({ fee }) => feesOf(fee).amount)) - sum(standing.map(({ feeAmount }) => feeAmount)),
  );
  expect(on('fee_tax')).toBe(
    sum(succeeded.map(({ fee }) => feesOf(fee).taxAmount)) -
      sum(standing.map(({ feeTaxAmount }) => feeTaxAmount)),
  );
  expect((await proveLedger(run.market.installation.id)).mismatches).toEqual([]);

  for (const listingId of run.listings) {
    const listing = await collection('listings').findOne({ _id: listingId });
    const holder = (listing?.reservation as { paymentId?: string } | null)?.paymentId;
    const holding = payments.find(({ _id }) => _id === holder);
    if (holder !== undefined) expect(['authorized', 'succeeded']).toContain(holding?.state);
  }
}

/**
 * Money in the ledger is money at Stripe: on the platform's account, over all runs, and on the account of the dealer. What
 * the provider refused of a lost dispute is still there, until finance pays it.
 */
async function assertSameMoney({ stripe, garage }: MoneyRun, payouts: readonly Stored[]): Promise<void> {
  const owed = await collection('refunds').find({ state: 'failed' }).toArray();
  const held = sum(owed.map(({ amount }) => amount));
  expect(-(await houseSum('psp_clearing')) + held).toBe(stripe.balance(null, 'eur'));
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
