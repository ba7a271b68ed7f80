import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { LedgerBalanceModel } from '../ledger/model.ts';
import { reportClosedDealer } from '../ledger/reportClosedDealer.ts';
import type { ProviderPayout } from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { findPayoutAccount } from '../payout-account/record/model.ts';
import type { Step, Steps } from '../steps/takeSteps.ts';
import { PayoutModel, type PayoutRecord, type StoredTransfer } from './model.ts';
import { payoutTransaction } from './payoutTransaction.ts';

/** Period in which a stalled payout is retried, regardless of its attempts, before it is canceled. */
const stalledForMs = 7 * dayMs;
/** Interval of status requests to the provider, in milliseconds; its webhook is faster. */
const askMs = 10 * 60_000;
/** Period in which a bank may return a payout that has arrived. */
const returnableMs = 7 * dayMs;
const askPaidMs = dayMs;

type PayoutStep = Step<PayoutRecord>;

/** The steps of a payout. */
export const payoutSteps: Steps<PayoutRecord> = {
  model: PayoutModel,
  events: {
    pending: 'payout.released',
    on_hold: 'payout.held',
    in_transit: 'payout.sent',
    paid: 'payout.paid',
    failed: 'payout.failed',
    canceled: 'payout.canceled',
  },
  next: {
    pending: send,
    on_hold: null,
    in_transit: follow,
    paid: followPaid,
    failed: cancel,
    canceled: takeBack,
  },
  afterFailure,
};

/** Cancels a payout that was not sent, or was returned. The step of the new state makes its money available again. */
export function cancel({ platform }: Pick<MoneyContext, 'platform'>): PayoutStep {
  const dueAt = new Date(platform.now());
  return { changes: { state: 'canceled', hold: null, dueAt }, goesOn: true };
}

/** Sends a payout. The state changes before the request to the provider; the payout can then no longer be held. */
async function send(scope: MoneyContext, payout: PayoutRecord): Promise<PayoutStep> {
  const dealer = await reads(DealerModel, scope.installationId).findOne({ _id: payout.dealerId });
  const now = scope.platform.now();
  if (dealer?.state === 'suspended') {
    const by = { type: 'system', id: 'identity.payouts' } as const;
    const hold = { reason: 'dealer_suspended', by, at: new Date(now) };
    return { changes: { state: 'on_hold', hold, dueAt: null } };
  }
  // The amount of a canceled payout returns to the dealer's balance, where it covers the debt.
  if (dealer?.payout.accountState === 'rejected' || (await isInDebt(scope, payout))) return cancel(scope);
  const account = await findPayoutAccount(scope.installationId, payout.dealerId, payout.provider);
  if (!account || dealer?.payout.accountState !== 'active') {
    const { stalledSince, endsAt } = stall(payout, now);
    return now < endsAt ? { changes: { dueAt: new Date(now + askMs), stalledSince } } : cancel(scope);
  }
  return { changes: { state: 'in_transit', dueAt: new Date(now), ref: null }, goesOn: true };
}

/**
 * Returns whether a chargeback, a lost dispute or a refund has made the dealer's balance negative since the payout was
 * created.
 */
async function isInDebt(
  { installationId }: MoneyContext,
  { dealerId, amount: { currency } }: PayoutRecord,
): Promise<boolean> {
  const debts = { dealerId, currency, 'accounts.available': { $lt: 0 } };
  return (await scoped(LedgerBalanceModel, installationId).count(debts, { limit: 1 })) > 0;
}

/** Returns whether the money of a payout must stay here, because its dealer was stopped after the payout was sent. */
async function isStopped(scope: MoneyContext, payout: PayoutRecord): Promise<boolean> {
  const dealer = await reads(DealerModel, scope.installationId).findOne({ _id: payout.dealerId });
  if (dealer?.state === 'suspended' || dealer?.payout.accountState === 'rejected') return true;
  return isInDebt(scope, payout);
}

/**
 * Sends outstanding requests, and reads the others. The money is first transferred to the dealer's account at the
 * provider, once, regardless of the number of attempts. The transfer may wait for money of the platform for days, so the
 * dealer is checked again before it.
 */
async function follow(scope: MoneyContext, payout: PayoutRecord): Promise<PayoutStep> {
  const accountRef = await accountOf(scope, payout);
  const { transfers } = providerOf(scope.platform, scope.installation, payout.provider);
  if (!transfers || payout.transfer) return learn(scope, payout, await askFor(scope, payout, accountRef));
  if (await isStopped(scope, payout)) return wait(scope, payout);
  const { _id: payoutId, tries, amount } = payout;
  const { ref } = await transfers.create({ payoutId, tries, accountRef, amount });
  return transferred(payout, { ref, state: 'made' });
}

/** Postpones the transfer of a payout. After a week, the payout fails, which returns its money to the balance. */
function wait(scope: MoneyContext, payout: PayoutRecord): PayoutStep {
  const now = scope.platform.now();
  const { stalledSince, endsAt } = stall(payout, now);
  if (now >= endsAt) return fail(scope, payout, { failureCode: 'dealer_stopped', ref: payout.ref });
  return { changes: { dueAt: new Date(now + askMs), stalledSince } };
}

/** Records a transfer; the step that needed it continues. */
function transferred(payout: PayoutRecord, transfer: StoredTransfer): PayoutStep {
  const kind = transfer.state === 'made' ? 'payout_transfer' : 'payout_reversal';
  return { changes: { transfer }, post: [payoutTransaction(payout, kind)], goesOn: true };
}

function askFor(scope: MoneyContext, payout: PayoutRecord, accountRef: string): Promise<ProviderPayout> {
  const { _id: payoutId, attempt, tries, amount, ref, createdAt } = payout;
  const provider = providerOf(scope.platform, scope.installation, payout.provider);
  if (ref !== null) return provider.readPayout(ref, accountRef);
  return provider.createPayout({ payoutId, attempt, tries, accountRef, amount, createdAt });
}

async function accountOf(
  { installationId }: MoneyContext,
  { _id, dealerId, provider }: PayoutRecord,
): Promise<string> {
  const account = await findPayoutAccount(installationId, dealerId, provider);
  if (!account) throw new Error(`The payout ${_id} has no destination account.`);
  return account.ref;
}

function learn(scope: MoneyContext, payout: PayoutRecord, seen: ProviderPayout): PayoutStep {
  const { ref, arrivalDate } = seen;
  const now = scope.platform.now();
  // A payout that arrives soon is read at that time.
  const waitMs = arrivalDate && arrivalDate.getTime() > now ? arrivalDate.getTime() - now : askMs;
  const dueAt = new Date(now + Math.min(waitMs, askMs));
  if (seen.state === 'in_transit') return { changes: { ref, arrivalDate, dueAt } };
  if (seen.state === 'awaits_transfer')
    return { changes: { ref, dueAt: null, awaitsTransferSince: new Date(now) } };
  if (seen.state === 'failed') return fail(scope, payout, { failureCode: seen.failureCode, ref });
  return arrive(payout, { ref, arrivalDate }, nextLookAt({ ...payout, arrivalDate }, now));
}

/** Records that the money has arrived at the dealer's bank. */
export function arrive(
  payout: PayoutRecord,
  arrival: Pick<PayoutRecord, 'ref' | 'arrivalDate'>,
  dueAt: Date | null,
): PayoutStep {
  const over = { failureCode: null, stalledSince: null, awaitsTransferSince: null };
  return {
    changes: { state: 'paid', ...arrival, ...over, dueAt },
    post: [payoutTransaction(payout, 'payout_paid')],
  };
}

/** Records a failure. The money stays reserved while other bank details may be provided. */
export function fail(
  { platform }: Pick<MoneyContext, 'platform'>,
  payout: PayoutRecord,
  { failureCode, ref }: Pick<PayoutRecord, 'failureCode' | 'ref'>,
): PayoutStep {
  const { stalledSince, endsAt } = stall(payout, platform.now());
  const dueAt = new Date(endsAt);
  const failed = { failureCode: failureCode ?? 'failed', ref, stalledSince, awaitsTransferSince: null };
  return { changes: { state: 'failed', ...failed, dueAt } };
}

/** Returns since when a payout has stalled, and when it is canceled for it. */
function stall({ stalledSince }: PayoutRecord, now: number): { stalledSince: Date; endsAt: number } {
  const since = stalledSince ?? new Date(now);
  return { stalledSince: since, endsAt: since.getTime() + stalledForMs };
}

/** Checks whether a bank has returned a paid payout, which is then open again. */
async function followPaid(scope: MoneyContext, payout: PayoutRecord): Promise<PayoutStep> {
  const { ref } = payout;
  const { state, failureCode } = await askFor(scope, payout, await accountOf(scope, payout));
  if (state !== 'failed') return { changes: { dueAt: nextLookAt(payout, scope.platform.now()) } };
  return { ...fail(scope, payout, { failureCode, ref }), post: [payoutTransaction(payout, 'payout_return')] };
}

/** Returns the time of the next check; null once banks can no longer return it. */
function nextLookAt({ arrivalDate, createdAt }: PayoutRecord, now: number): Date | null {
  const endsAt = (arrivalDate ?? createdAt).getTime() + returnableMs;
  return now < endsAt ? new Date(now + askPaidMs) : null;
}

/**
 * Reverses the transfer of a canceled payout. The money is not available here until the provider has done so; otherwise
 * it could be paid out twice. A payout that was canceled because the provider did not show it, and that has not failed
 * there, is followed again.
 */
async function takeBack(scope: MoneyContext, payout: PayoutRecord): Promise<PayoutStep> {
  const { _id: payoutId, tries, transfer } = payout;
  const { transfers } = providerOf(scope.platform, scope.installation, payout.provider);
  // A process that crashed after the transfer has not stored its id.
  const found = transfer ? null : ((await transfers?.find(payoutId)) ?? null);
  if (found) return transferred(payout, { ref: found.ref, state: 'made' });
  if (transfers && transfer?.state === 'made') {
    if (await isSent(scope, payout)) return followAgain(scope);
    await transfers.reverse(transfer.ref, { payoutId, tries });
    return transferred(payout, { ref: transfer.ref, state: 'reversed' });
  }
  const { dealerId, amount } = payout;
  const returned = { payoutId, dealerId, currency: amount.currency };
  return {
    changes: { dueAt: null },
    post: [payoutTransaction(payout, 'payout_failure')],
    also: (session) => reportClosedDealer(scope, returned, session),
  };
}

/** Returns whether the latest attempt is at the provider and has not failed. */
async function isSent(scope: MoneyContext, payout: PayoutRecord): Promise<boolean> {
  if (payout.ref === null) return false;
  try {
    const { state } = await askFor(scope, payout, await accountOf(scope, payout));
    return state !== 'failed';
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'missing') return false;
    throw error;
  }
}

function followAgain({ platform }: MoneyContext): PayoutStep {
  const dueAt = new Date(platform.now());
  return { changes: { state: 'in_transit', failureCode: null, stalledSince: null, dueAt }, goesOn: true };
}

function afterFailure(scope: MoneyContext, payout: PayoutRecord, failure: ProviderFailure): PayoutStep {
  const { log } = scope.platform;
  const now = scope.platform.now();
  const { _id: payoutId, state, ref } = payout;
  const subject = { err: failure, payoutId };
  if (state === 'paid') return { changes: { dueAt: nextLookAt(payout, now) && new Date(now + askMs) } };
  const dueAt = new Date(now + waitAfter(failure));
  if (state === 'canceled') {
    // A refused reversal succeeds once the dealer's account at the provider has the money again.
    log.error(subject, 'transfer of a canceled payout not taken back');
    return { changes: { dueAt }, failure };
  }
  // The bank has not refused anything; the installation's operator must fix the account at the provider.
  if (failure.kind === 'later') log.error(subject, 'payout waits for money');
  else log.warn(subject, 'payout not sent');
  // The provider may have carried out a request without responding, so it is retried without limit.
  if (failure.kind === 'unknown') return { changes: { dueAt }, failure };
  const { stalledSince, endsAt } = stall(payout, now);
  const isRefused = failure.isFinal && ref === null;
  if (!isRefused && now < endsAt) return { changes: { dueAt, stalledSince }, failure };
  return { ...fail(scope, payout, { failureCode: failure.code, ref }), failure };
}
