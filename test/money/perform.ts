import { collection } from '../authorization/world/collection.ts';
import { accountIdOf } from '../crashes/moneyWorld.ts';
import { Refusal } from '../support/Refusal.ts';
import { type SeededUser, unique } from '../support/seed.ts';
import type { StripeObject } from '../support/servers/openStripeStore.ts';
import { type Death, dieWithin } from '../support/stack/mortality.ts';
import type { Act } from './acts.ts';
import { type Call, keepCard, type MoneyRun, paymentsOf } from './MoneyRun.ts';

/** Jobs that complete operations with money, below `identity.`. */
export const jobs = ['payment-events', 'payment-checks', 'chargebacks', 'refunds', 'payouts', 'disputes'];

/** Executes one step of a run. */
export async function perform(run: MoneyRun, act: Act): Promise<void> {
  const { stripe } = run;
  if (act.do === 'fault') stripe.faults = [...act.faults];
  else if (act.do === 'jobs') await runJobs(run, act.death);
  else if (act.do === 'day') await passDay(run, act.death);
  else if (act.do === 'bank') await decideAtBank(run, act);
  else if (act.do === 'chargeback') await chargeBack(run, act);
  else if (act.do === 'judge') await judge(run, act);
  else if (act.do === 'account') await setAccount(run, act.state);
  else if (act.do === 'tell') await tell(run, act);
  else if (act.do === 'confirm') await confirm(run, act);
  else {
    const call = act.do === 'again' ? await takeUnanswered(run) : await callOf(run, act);
    if (call) await send(run, call, act.death);
  }
}

/** Makes all operations due and runs the jobs, each in a process that can die. */
export async function runJobs(run: MoneyRun, death: Death | null = null): Promise<void> {
  const past = new Date(0);
  await collection('payments').updateMany({ checkAt: { $type: 'date' } }, { $set: { checkAt: past } });
  const isDue = { dueAt: { $type: 'date' } } as const;
  await collection('payment_events').updateMany(isDue, { $set: { dueAt: past } });
  // Paid payouts are re-checked for a week. Those of other runs would be re-checked in every run.
  for (const name of ['refunds', 'payouts', 'chargebacks'])
    await collection(name).updateMany({ dealerId: run.garage.id, ...isDue }, { $set: { dueAt: past } });
  await mortally(run, death, () => run.stack.runJob('identity.chargeback-search'));
  for (const job of jobs) await mortally(run, death, () => run.stack.runJob(`identity.${job}`));
}

async function passDay(run: MoneyRun, death: Death | null): Promise<void> {
  run.stack.advance(25 * 3_600_000);
  await runJobs(run, death);
  // Tokens expire after minutes.
  run.stack.resetClock();
}

/** Prevents requests of a dead process to the provider. */
async function mortally(run: MoneyRun, death: Death | null, work: () => Promise<unknown>): Promise<boolean> {
  if (!death) {
    await work();
    return false;
  }
  const { faults } = run.stripe;
  const silence = () => void (run.stripe.faults = Array.from({ length: 50 }, () => 'error'));
  const isDead = await dieWithin(death, work, silence);
  if (isDead) run.stripe.faults = faults;
  if (isDead) run.deaths += 1;
  return isDead;
}

async function send(run: MoneyRun, call: Call, death: Death | null): Promise<void> {
  const operations = call.as.api as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const isDead = await mortally(run, death, async () => {
    const answer = await operations[call.name]?.(call.input, '__typename');
    // A refusal is a valid outcome, but a failure is a defect.
    if (answer instanceof Refusal && !answer.problem) throw new Error(answer.describe());
  });
  if (isDead) run.unanswered = call;
}

/** The last call whose process died, after its lease expired. */
async function takeUnanswered(run: MoneyRun): Promise<Call | null> {
  const over = { $set: { leaseUntil: new Date(0) } };
  await collection('idempotency_keys').updateMany({ state: 'running' }, over);
  const { unanswered } = run;
  run.unanswered = null;
  return unanswered;
}

/** The call of an act. Null if there is no record for it. */
async function callOf(run: MoneyRun, act: Act): Promise<Call | null> {
  const { garage, buyers, finance } = run;
  const call = (name: string, as: SeededUser, input: object): Call => ({
    name,
    as,
    input: { idempotencyKey: unique('key'), ...input },
  });
  if (act.do === 'pay') {
    const payer = buyers[act.payer ?? act.listing % 2] as SeededUser;
    const paymentMethodId = act.card === null ? null : await keepCard(run, act.card, payer);
    const captureMethod = act.manual ? 'MANUAL' : 'AUTOMATIC';
    const listingId = run.listings[act.listing];
    const purpose = act.isPurchase ? 'PURCHASE' : 'DEPOSIT';
    return call('createPayment', payer, { purpose, listingId, captureMethod, paymentMethodId });
  }
  if (act.do === 'payout') {
    const balance = await collection('ledger_balances').findOne({ dealerId: garage.id, currency: 'EUR' });
    const { available = 0 } = (balance?.accounts ?? {}) as Record<string, number>;
    return call('requestPayout', garage.owner, { dealerId: garage.id, amount: partOf(act, available) });
  }
  if (act.do === 'callOff') {
    const payouts = await collection('payouts')
      .find({ dealerId: garage.id })
      .sort({ createdAt: 1, _id: 1 })
      .toArray();
    const payoutId = payouts[act.payout % payouts.length]?._id;
    return payoutId ? call('cancelPayout', finance, { payoutId, reason: 'Looks odd' }) : null;
  }
  const payment = await chosen(run, act);
  if (!payment || !('part' in act)) return null;
  const { _id: paymentId, disputeId } = payment;
  const payer = buyers.find(({ id }) => id === (payment.payer as { userId: string }).userId) ?? buyers[0];
  const left = Number(payment.amountCaptured) - Number(payment.amountRefunded);
  const currency = String(payment.currency);
  const reason = 'OTHER';
  switch (act.do) {
    case 'capture':
      return call('capturePayment', garage.owner, {
        paymentId,
        amount: partOf(act, payment.amount, currency),
      });
    case 'cancel':
      return call('cancelPayment', garage.owner, { paymentId });
    case 'refund': {
      const amount = partOf(act, payment.amountCaptured, currency);
      return call('createRefund', garage.owner, { paymentId, amount, reason });
    }
    case 'dispute':
      return call('openDispute', payer, {
        paymentId,
        amount: partOf(act, left, currency),
        reason,
        text: 'No.',
      });
    case 'answer':
      return call('submitDisputeEvidence', act.part % 2 ? garage.owner : payer, { disputeId, text: 'Look.' });
    case 'withdraw':
      return call('withdrawDispute', payer, { disputeId });
    case 'decide': {
      const dispute = await collection('disputes').findOne({ paymentId });
      const refundAmount = act.outcome === 'SPLIT' ? partOf(act, Number(dispute?.amount), currency) : null;
      const { outcome } = act;
      return call('resolveDispute', finance, { disputeId, outcome, refundAmount, statement: 'So be it.' });
    }
    default:
      return null;
  }
}

async function chosen(run: MoneyRun, act: Act) {
  const all = await paymentsOf(run);
  const wanted = 'payment' in act && all.length > 0 ? all[act.payment % all.length] : undefined;
  const needsDispute = ['answer', 'withdraw', 'decide'].includes(act.do);
  return needsDispute && !wanted?.disputeId ? undefined : wanted;
}

function partOf(act: Act, whole: unknown, currency = 'EUR'): { amount: number; currency: string } {
  const part = 'part' in act ? act.part : 100;
  return { amount: Math.max(1, Math.floor((Number(whole) * part) / 100)), currency };
}

async function confirm(run: MoneyRun, act: Act): Promise<void> {
  const intent = run.stripe.objects.get(String((await chosen(run, act))?.providerRef));
  if (intent && /^requires_(payment_method|action)$/.test(intent.status))
    run.stripe.confirm(intent.id, 'pm_card_visa');
}

/** Sends events, which can arrive any number of times. */
async function tell(run: MoneyRun, act: Act & { do: 'tell' }): Promise<void> {
  const intent = run.stripe.objects.get(String((await chosen(run, act))?.providerRef));
  if (!intent) return;
  const event = eventOf(run, intent);
  for (let time = 0; time < act.times; time += 1)
    await mortally(run, act.death, () => run.market.visitor.receivePaymentEvent(event));
}

function eventOf({ stripe }: MoneyRun, object: StripeObject) {
  const { body, signature } = stripe.event(object);
  return { provider: 'STRIPE', body: Buffer.from(body).toString('base64'), signature } as const;
}

/** Sets the state of a payout, which stays failed once it failed. Its event can be lost with the process. */
async function decideAtBank(run: MoneyRun, act: Act & { do: 'bank' }): Promise<void> {
  const { stripe, garage, market } = run;
  const own = [...stripe.objects.values()].filter(
    ({ object, account }) => object === 'payout' && account === accountIdOf(garage.id),
  );
  const payout = own[act.payout % own.length];
  if (!payout || payout.status === 'failed') return;
  const event = eventOf(run, stripe.setPayout(payout.id, act.status));
  await mortally(run, act.death, () => market.visitor.receivePaymentEvent(event));
}

/** Opens a chargeback. Its event can be lost with the process. */
async function chargeBack(run: MoneyRun, act: Act & { do: 'chargeback' }): Promise<void> {
  const { stripe, market } = run;
  const intent = stripe.objects.get(String((await chosen(run, act))?.providerRef));
  if (!intent) return;
  const disputed = [...stripe.objects.values()].filter(
    ({ object, payment_intent }) => object === 'dispute' && payment_intent === intent.id,
  );
  const left = disputed.reduce((sum, { amount }) => sum - amount, intent.amount_received);
  if (left < 1) return;
  const { isInquiry } = act;
  const event = eventOf(run, stripe.dispute(intent.id, { amount: partOf(act, left).amount, isInquiry }));
  await mortally(run, act.death, () => market.visitor.receivePaymentEvent(event));
}

/** An inquiry becomes a chargeback or is closed. A chargeback is won or lost permanently. */
async function judge(run: MoneyRun, act: Act & { do: 'judge' }): Promise<void> {
  const { stripe, market } = run;
  const refs = new Set((await paymentsOf(run)).map(({ providerRef }) => providerRef));
  const own = [...stripe.objects.values()].filter(
    ({ object, payment_intent }) => object === 'dispute' && refs.has(payment_intent),
  );
  const dispute = own[act.chargeback % own.length];
  const isInquiry = dispute?.status === 'warning_needs_response';
  if (!dispute || !(isInquiry || dispute.status === 'needs_response')) return;
  const outcome = act.isWon ? 'won' : 'lost';
  const status = isInquiry ? (act.isWon ? 'warning_closed' : 'needs_response') : outcome;
  const event = eventOf(run, stripe.setDispute(dispute.id, status));
  await mortally(run, act.death, () => market.visitor.receivePaymentEvent(event));
}

/** Sends an event of Stripe with the state of the dealer's account. */
export async function setAccount(run: MoneyRun, state: 'active' | 'rejected'): Promise<void> {
  const facts = {
    active: { payouts_enabled: true, capabilities: { transfers: 'active' }, requirements: {} },
    rejected: { payouts_enabled: false, requirements: { disabled_reason: 'rejected.fraud' } },
  };
  const id = accountIdOf(run.garage.id);
  const account = { id, object: 'account', ...facts[state] };
  run.stripe.objects.set(id, account);
  await run.market.visitor.receivePaymentEvent(eventOf(run, account));
}
