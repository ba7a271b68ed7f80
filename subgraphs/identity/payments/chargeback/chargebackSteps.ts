import { scoped } from '../../../platform/installation/scoped.ts';
import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { finalStates } from '../payment/record/states.ts';
import type { ProviderChargeback } from '../payment-provider/ProviderChargebacks.ts';
import { type ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { type Step, type Steps, takeSteps } from '../steps/takeSteps.ts';
import { bookMovement } from './bookMovement.ts';
import { ChargebackModel, type ChargebackRecord, chargebacksName } from './model.ts';
import { reportWon } from './reportWon.ts';

/** Interval in which an undecided chargeback is read. The provider's webhook is faster. */
const askMs = dayMs / 4;
/** Time in which a bank may change its decision. */
const changeableMs = 90 * dayMs;
/** Delay before a payment without a booked capture is first read again. */
const captureMs = 60_000;

/** The steps of a chargeback: in every state the provider is read, and what it has moved is booked. */
const chargebackSteps: Steps<ChargebackRecord> = {
  model: ChargebackModel,
  next: { inquiry: follow, open: follow, won: follow, lost: follow, closed: follow },
  afterFailure,
};

/** Reads chargebacks that are due at their provider. */
export const chargebacksJob = dueJob({
  name: chargebacksName,
  everyMs: 15_000,
  model: ChargebackModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: (scope, chargeback) => takeSteps(chargebackSteps, scope, chargeback),
});

async function follow(scope: MoneyContext, chargeback: ChargebackRecord): Promise<Step<ChargebackRecord>> {
  const { chargebacks } = providerOf(scope.platform, scope.installation, chargeback.provider);
  if (!chargebacks) throw new Error(`The provider of ${chargeback._id} has no chargebacks.`);
  const seen = await chargebacks.read(chargeback.ref);
  const { paymentId: _id } = chargeback;
  const payment = await scoped(PaymentModel, scope.installationId).findOne({ _id });
  if (payment?.state !== 'succeeded')
    return waitForCapture(scope, chargeback, payment !== null && finalStates.has(payment.state));
  if (seen.state === 'won' && chargeback.state !== 'won') await reportWon(scope, payment, chargeback);
  return learn(scope, chargeback, seen);
}

/**
 * Waits, with increasing delays, until the capture of the payment is booked. A payment that has ended without a capture is
 * never captured here, although the provider has taken the payer's money.
 */
function waitForCapture(
  { platform }: MoneyContext,
  { paymentId, ref, createdAt }: ChargebackRecord,
  hasEnded: boolean,
): Step<ChargebackRecord> {
  if (hasEnded) {
    const about = { paymentId, chargebackRef: ref };
    platform.log.error(about, 'chargeback of a payment that ended without a capture not booked');
    return { changes: { dueAt: null } };
  }
  const now = platform.now();
  const waitMs = Math.min(Math.max(now - createdAt.getTime(), captureMs), askMs);
  return { changes: { dueAt: new Date(now + waitMs) } };
}

function learn(
  scope: MoneyContext,
  chargeback: ChargebackRecord,
  { state, amount, reason, respondBy, movements }: ProviderChargeback,
): Step<ChargebackRecord> {
  const now = scope.platform.now();
  const booked = new Set(chargeback.movements.map(({ ref }) => ref));
  // Amounts that were taken are booked before returned ones, regardless of the provider's order.
  const added = movements
    .filter(({ ref }) => !booked.has(ref))
    .sort((one, other) => one.amount - other.amount);
  const isDecided = state !== 'inquiry' && state !== 'open';
  const isSame = state === chargeback.state && chargeback.closedAt !== null;
  const closedAt = isDecided ? (isSame ? chargeback.closedAt : new Date(now)) : null;
  const changes = { state, amount, reason, respondBy, closedAt, dueAt: nextLookAt(closedAt, now) };
  if (added.length === 0) return { changes };
  return {
    changes: { ...changes, movements: [...chargeback.movements, ...added] },
    also: async (session) => {
      for (const movement of added) await bookMovement(scope, chargeback, movement, session);
    },
  };
}

/**
 * Returns when the provider is read next. Open chargebacks are read at a fixed interval, decided ones less and less
 * often, until no bank can change the decision.
 */
function nextLookAt(closedAt: Date | null, now: number): Date | null {
  if (!closedAt) return new Date(now + askMs);
  const age = now - closedAt.getTime();
  return age < changeableMs ? new Date(now + Math.max(age, askMs)) : null;
}

function afterFailure(
  { platform }: MoneyContext,
  { _id: chargebackId }: ChargebackRecord,
  failure: ProviderFailure,
): Step<ChargebackRecord> {
  platform.log.warn({ err: failure, chargebackId }, 'chargeback not read');
  return { changes: { dueAt: new Date(platform.now() + waitAfter(failure)) } };
}
