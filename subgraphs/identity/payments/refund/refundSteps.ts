import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { commissionOfPayment, postTransaction } from '../ledger/postTransaction.ts';
import { reportClosedDealer } from '../ledger/reportClosedDealer.ts';
import { reportOverpaid } from '../payment/order/reportOverpaid.ts';
import { amountReturned, isReturnedTwice } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import type { ProviderRefund } from '../payment-provider/PaymentProvider.ts';
import { disputedCode, type ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import type { Step, Steps } from '../steps/takeSteps.ts';
import { commissionChange, type FeeShare } from './feeShare.ts';
import { refundFailure } from './postRefund.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';
import { isAllowed } from './record/states.ts';
import { releaseRefunded } from './releaseRefunded.ts';

/** Signal that the provider has refused a refund because the payer's bank disputes the payment. */
export const refundDisputed = 'identity.refund-disputed';

const mostAttempts = 5;
/** Interval of status requests to the provider, in milliseconds; its webhook is faster. */
const askMs = 10 * 60_000;
/** Period in which the payer's bank may return a refund that has succeeded. */
const returnableMs = 30 * dayMs;
/** Period in which a pending refund is requested that the provider does not know. */
const missingMs = 7 * dayMs;

/** The steps of a refund. */
export const refundSteps: Steps<RefundRecord> = {
  model: RefundModel,
  events: {
    pending: 'refund.updated',
    succeeded: 'refund.succeeded',
    failed: 'refund.failed',
    canceled: 'refund.canceled',
  },
  next: { pending: ask, succeeded: ask, failed: retry, canceled: null },
  afterFailure,
};

/** Requests a new refund, and reads any other one. */
async function ask(scope: MoneyContext, refund: RefundRecord): Promise<Step<RefundRecord>> {
  const { _id: refundId, attempt, tries, paymentRef, amount, currency, reason, ref } = refund;
  const provider = providerOf(scope.platform, scope.installation, refund.provider);
  const order = { refundId, attempt, tries, paymentRef, amount: { amount, currency }, reason };
  return learn(
    scope,
    refund,
    ref === null ? await provider.createRefund(order) : await provider.readRefund(ref),
  );
}

function learn(scope: MoneyContext, refund: RefundRecord, seen: ProviderRefund): Step<RefundRecord> {
  const { ref, failureCode } = seen;
  const now = scope.platform.now();
  if (seen.state === 'canceled' && refund.state === 'pending')
    return cancel(scope, { ...refund, ref }, failureCode ?? 'canceled');
  if (seen.state === 'awaits_transfer')
    return { changes: { ref, dueAt: null, givenUpAt: new Date(now), missingSince: null } };
  const isNew = isAllowed(refund.state, seen.state);
  const state = isNew ? seen.state : refund.state;
  const succeededAt = isNew && state === 'succeeded' ? new Date(now) : (refund.succeededAt ?? null);
  const waits: Record<string, Date | null> = {
    pending: new Date(now + askMs),
    failed: refund.attempt < mostAttempts ? new Date(now + hourMs * 2 ** refund.attempt) : null,
    succeeded: nextLookAt(succeededAt, now),
  };
  const dueAt = waits[state] ?? null;
  const isGivenUp = state === 'failed' && dueAt === null;
  if (isGivenUp)
    scope.platform.log.error({ refundId: refund._id }, 'refund failed for good: settle or retry it');
  const changes = {
    ref,
    state,
    succeededAt,
    dueAt,
    failureCode: state === 'failed' ? (failureCode ?? 'failed') : null,
    givenUpAt: isGivenUp ? new Date(now) : null,
    missingSince: null,
  };
  if (!isNew || state !== 'succeeded') return { changes };
  // A payment that is fully returned no longer holds its listing.
  return { changes, also: (session) => releaseRefunded(scope, refund, session) };
}

/**
 * Returns when the provider is asked whether the bank has returned a refund without an event: after a day, then less
 * and less often. Null once banks can no longer return it.
 */
function nextLookAt(succeededAt: Date | null | undefined, now: number): Date | null {
  const since = succeededAt?.getTime() ?? now - returnableMs;
  const age = now - since;
  return age < returnableMs ? new Date(Math.min(now + Math.max(age, dayMs), since + returnableMs)) : null;
}

function retry(_: MoneyContext, { attempt }: RefundRecord): Step<RefundRecord> {
  return { changes: { state: 'pending', attempt: attempt + 1, ref: null, failureCode: null }, goesOn: true };
}

async function afterFailure(
  scope: MoneyContext,
  refund: RefundRecord,
  failure: ProviderFailure,
): Promise<Step<RefundRecord>> {
  const { log } = scope.platform;
  const subject = { err: failure, refundId: refund._id };
  // The installation's operator must fix the account at the provider.
  if (failure.kind === 'later') log.error(subject, 'refund waits for money');
  else log.warn(subject, 'refund not made');
  if (failure.isFinal && refund.ref === null && refund.state === 'pending')
    return cancel(scope, refund, failure.code, await isReturnedByBank(scope, refund));
  const now = scope.platform.now();
  const isMissing = failure.kind === 'missing' && refund.state === 'pending';
  const missingSince = refund.missingSince ?? (isMissing ? new Date(now) : null);
  if (isMissing && missingSince && now - missingSince.getTime() >= missingMs) {
    scope.platform.log.error(
      { refundId: refund._id },
      'refund is missing at the provider: finance has to act',
    );
    return giveUp(scope, refund, failure.code);
  }
  const isClosed = refund.state === 'succeeded' && nextLookAt(refund.succeededAt, now) === null;
  const dueAt = isClosed ? null : new Date(now + waitAfter(failure));
  return { changes: { dueAt, missingSince }, failure };
}

/** Stops retrying. Finance finds the refund in `failedRefunds`; it still counts against the payment. */
function giveUp({ platform }: MoneyContext, { ref }: RefundRecord, failureCode: string): Step<RefundRecord> {
  const givenUpAt = new Date(platform.now());
  return { changes: { state: 'failed', failureCode, ref, dueAt: null, givenUpAt, missingSince: null } };
}

/**
 * Cancels a refund: the money belongs to the dealer again, and no longer counts against the payment.
 *
 * @param isReturned whether the payer already has the money from the bank, so that it must not be paid twice
 */
function cancel(
  scope: MoneyContext,
  refund: RefundRecord,
  failureCode: string,
  isReturned = false,
): Step<RefundRecord> {
  const { _id: refundId, ref, disputeId } = refund;
  // The refusal may be the first report of the chargeback.
  if (failureCode === disputedCode) scope.platform.signals.send(refundDisputed);
  if (disputeId === null || isReturned)
    return {
      changes: { state: 'canceled', failureCode, ref, dueAt: null },
      also: (session) => giveBack(scope, refund, session),
    };
  // The amount of a lost dispute belongs to the payer, even if the provider refuses the refund. It counts against the
  // payment until finance has paid it, or a chargeback is booked that returns it.
  scope.platform.log.error({ refundId }, 'refund of a lost dispute refused: finance has to act');
  return giveUp(scope, refund, failureCode);
}

/** Returns whether a chargeback has returned so much of the payment that the refund would exceed what was captured. */
async function isReturnedByBank(
  { installationId }: MoneyContext,
  { paymentId }: RefundRecord,
): Promise<boolean> {
  const payment = await scoped(PaymentModel, installationId).findOne({ _id: paymentId });
  return payment !== null && isReturnedTwice(payment);
}

/**
 * Returns the money to the dealer. The commission is owed again, except for parts of the payment that were returned
 * otherwise.
 */
async function giveBack(scope: MoneyContext, refund: RefundRecord, session: ClientSession): Promise<void> {
  const { installationId, platform } = scope;
  const { paymentId, dealerId, amount, currency } = refund;
  const payment = await scoped(PaymentModel, installationId).findOneAndUpdate(
    { _id: paymentId },
    { $inc: { amountRefunded: -amount, version: 1 }, $set: { updatedAt: new Date(platform.now()) } },
    { session },
  );
  let share: FeeShare = refund;
  if (payment?.amountChargedBack && dealerId !== null) {
    const paid = await commissionOfPayment(scope, { paymentId, dealerId }, session);
    const change = commissionChange(payment, amountReturned(payment), paid);
    share = { feeAmount: -change.feeAmount, feeTaxAmount: -change.feeTaxAmount };
  }
  await postTransaction(scope, refundFailure(refund, share), session);
  if (dealerId !== null) await reportClosedDealer(scope, { paymentId, dealerId, currency }, session);
  if (!payment) return;
  reportRest(scope, refund, payment);
  await reportOverpaid(scope, payment, session);
}

/** Logs what the payer is still owed if the bank has returned less than the refund that was canceled because of it. */
function reportRest(
  { platform }: MoneyContext,
  { _id: refundId, paymentId, disputeId, amount, currency }: RefundRecord,
  { amountChargedBack = 0 }: PaymentRecord,
): void {
  const rest = amount - amountChargedBack;
  // Without a chargeback, the response to the caller states that nothing was returned.
  if (rest <= 0 || (disputeId === null && amountChargedBack === 0)) return;
  platform.log.error(
    { paymentId, disputeId, refundId, amount: rest, currency },
    'chargeback returned less than the refund that it canceled: the payer is owed the rest, transfer it and record a ledger adjustment',
  );
}
