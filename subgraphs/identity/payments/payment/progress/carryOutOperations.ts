import { scoped } from '../../../../platform/installation/scoped.ts';
import { resumeAfterMs } from '../../../kernel/money/times.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import type { ProviderPayment, ProviderRefusal } from '../../payment-provider/PaymentProvider.ts';
import { ProviderFailure } from '../../payment-provider/ProviderFailure.ts';
import { providerOf } from '../../payment-provider/providerOf.ts';
import { announceChange } from '../record/announceChange.ts';
import { PaymentModel, type PaymentRecord, type StoredOperation } from '../record/model.ts';
import { applyProviderState } from './applyProviderState.ts';
import { orderOf } from './orderOf.ts';

/** A capture follows a creation; more steps are those of other processes. */
const mostSteps = 6;
const longestWaitMs = 3600_000;
/** Shorter than the day for which a provider knows an idempotency key. */
const repeatableMs = 23 * 3600_000;

/** Result of carrying out operations. */
export interface OperationOutcome {
  payment: PaymentRecord;
  /** Permanent refusal of the provider; null if there is none. */
  refused: ProviderFailure | null;
}

/**
 * Carries out the pending operation of a payment, and the operations that follow from it. If the provider does not
 * respond, the operation stays pending and the job repeats it. Before a capture or cancellation is repeated, the
 * provider's object is read. Its idempotency keys expire after a day, and repeat an error until then. Processes may
 * call this concurrently.
 */
export async function carryOutOperations(
  scope: MoneyContext,
  payment: PaymentRecord,
): Promise<OperationOutcome> {
  let current = payment;
  for (let step = 0; step < mostSteps && current.operation; step += 1) {
    const { operation } = current;
    try {
      current = await ask(scope, current, operation);
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { log } = scope.platform;
      if (!error.isFinal) {
        log.warn({ err: error, paymentId: current._id }, 'payment goes on later');
        return { payment: await postpone(scope, current, error), refused: null };
      }
      log.warn({ err: error, paymentId: current._id }, 'payment provider refused');
      return { payment: await giveUp(scope, current, operation, error), refused: error };
    }
  }
  return { payment: current, refused: null };
}

async function ask(
  scope: MoneyContext,
  payment: PaymentRecord,
  { kind, amount }: StoredOperation,
): Promise<PaymentRecord> {
  const { _id: paymentId, providerRef: ref, checks, version: attempt } = payment;
  try {
    return await applyProviderState(scope, payment, await answerOf());
  } catch (error) {
    if (ref === null || !isGone(scope, payment, error)) throw error;
    if (kind === 'capture')
      scope.platform.log.error(
        { paymentId, providerRef: ref },
        'payment ended, because the provider no longer has it: check there whether it was captured',
      );
    return applyProviderState(scope, payment, canceled(payment, ref));
  }

  async function answerOf(): Promise<ProviderPayment> {
    const provider = providerOf(scope.platform, scope.installation, payment.provider);
    if ((kind === 'capture' || kind === 'cancel') && ref !== null) {
      const earlier = checks === 0 ? null : await provider.readPayment(ref);
      if (earlier && (earlier.state === 'succeeded' || earlier.state === 'canceled')) return earlier;
      return kind === 'capture'
        ? provider.capturePayment(ref, {
            paymentId,
            amount: { amount: amount ?? payment.amount, currency: payment.currency },
            attempt,
          })
        : provider.cancelPayment(ref, { paymentId, attempt });
    }
    assertRepeatable(scope, payment);
    const made = await provider.createPayment(await orderOf(scope, payment));
    // A repeated request returns the first response, which may be outdated.
    return checks === 0 ? made : provider.readPayment(made.ref);
  }
}

/**
 * Returns whether the provider no longer has an expired payment, for example after a change of the account. Before the
 * expiry, a wrong API key may be the cause.
 */
function isGone({ platform }: MoneyContext, { endsAt }: PaymentRecord, error: unknown): boolean {
  const isExpired = endsAt !== null && endsAt.getTime() <= platform.now();
  return isExpired && error instanceof ProviderFailure && error.kind === 'missing';
}

/** Returns the answer for a payment that the provider no longer has, so that nothing of it can be captured. */
function canceled({ _id: paymentId, amount, currency }: PaymentRecord, ref: string): ProviderPayment {
  return {
    ref,
    paymentId,
    state: 'canceled',
    amount,
    currency,
    amountCapturable: 0,
    amountCaptured: 0,
    clientSecret: null,
    action: null,
    refusal: null,
    authorizedUntil: null,
    providerFee: null,
    amountToReturn: 0,
  };
}

/**
 * Checks that a request can be repeated. A provider may discard an idempotency key after a day, and would then carry
 * out the request again. An object of the first request is canceled when an event reports it.
 *
 * @throws ProviderFailure `refused`
 */
function assertRepeatable({ platform }: MoneyContext, { createdAt }: PaymentRecord): void {
  if (platform.now() - createdAt.getTime() < repeatableMs) return;
  throw new ProviderFailure('refused', 'order_too_old', 'The payment provider did not answer within a day.');
}

/**
 * Postpones the operation, with increasing delays.
 *
 * @param error if the provider repeats it for the same key, the next request uses a new key
 */
async function postpone(
  scope: MoneyContext,
  payment: PaymentRecord,
  { isKept }: ProviderFailure,
): Promise<PaymentRecord> {
  const waitMs = Math.min(10_000 * 2 ** payment.checks, longestWaitMs);
  const postponed = await scoped(PaymentModel, scope.installation.id).findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    {
      $set: { checkAt: new Date(scope.platform.now() + waitMs), checks: payment.checks + 1 },
      $inc: { version: 1, ...(isKept && { tries: 1 }) },
    },
  );
  return postponed ?? reread(scope, payment);
}

const providerRefused: ProviderRefusal = {
  code: 'provider_error',
  declineCode: null,
  message: 'The payment provider refused the operation.',
};

/**
 * Handles a final refusal. The provider states the resulting state of the payment. A payment that it never created is
 * finished. If it refused an automatic capture, the payment is canceled there, so that payer and listing are free.
 */
async function giveUp(
  scope: MoneyContext,
  payment: PaymentRecord,
  { kind }: StoredOperation,
  error: ProviderFailure,
): Promise<PaymentRecord> {
  const isOver = kind === 'create' && payment.providerRef === null;
  const isToCancel = kind === 'capture' && payment.state === 'processing';
  const changes: Partial<PaymentRecord> = {
    ...(isOver && { state: 'canceled' }),
    ...((isOver || isToCancel) && { failure: providerRefused }),
    operation: isToCancel ? { kind: 'cancel', amount: null } : null,
    checkAt: laterThan(scope),
    // The provider is read before the cancellation, because it may already have ended the payment.
    checks: isToCancel ? payment.checks + 1 : 0,
    ...(kind === 'create' && { endsAt: null }),
  };
  const without = await scoped(PaymentModel, scope.installation.id).findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    { $set: changes, $inc: { version: 1 }, ...announceChange(scope, payment, { ...payment, ...changes }) },
  );
  if (!without) return reread(scope, payment);
  if (isToCancel) return (await carryOutOperations(scope, without)).payment;
  const reviewed = await review(scope, without);
  // The same operation was decided again, and would immediately be refused again.
  return reviewed.operation ? postpone(scope, { ...reviewed, checks: payment.checks }, error) : reviewed;
}

/**
 * Reads a payment at the provider and applies its state. Returns the payment unchanged if the provider does not
 * respond. An expired payment that the provider no longer has is ended.
 */
export async function review(scope: MoneyContext, payment: PaymentRecord): Promise<PaymentRecord> {
  if (payment.providerRef === null) return payment;
  try {
    const provider = providerOf(scope.platform, scope.installation, payment.provider);
    return await applyProviderState(scope, payment, await provider.readPayment(payment.providerRef));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (isGone(scope, payment, error))
      return applyProviderState(scope, payment, canceled(payment, payment.providerRef));
    scope.platform.log.warn({ err: error, paymentId: payment._id }, 'payment provider did not answer');
    return payment;
  }
}

function laterThan({ platform }: MoneyContext): Date {
  return new Date(platform.now() + resumeAfterMs);
}

/** Reads the payment again after another process has changed it. */
async function reread({ installation }: MoneyContext, { _id }: PaymentRecord): Promise<PaymentRecord> {
  const found = await scoped(PaymentModel, installation.id).findOne({ _id });
  if (!found) throw new Error(`The payment ${_id} no longer exists.`);
  return found;
}
