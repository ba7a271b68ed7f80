import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { resumeAfterMs } from '../../../kernel/money/times.ts';
import { inLedgerTransaction } from '../../ledger/inLedgerTransaction.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { postCapture, postProviderFee } from '../../ledger/postCapture.ts';
import { postTransfer } from '../../ledger/postTransfer.ts';
import type { ProviderPayment } from '../../payment-provider/PaymentProvider.ts';
import { sealAction } from '../../payment-provider/payerSecret.ts';
import { announceChange } from '../record/announceChange.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';
import { waitingStates } from '../record/states.ts';
import { type Decision, decide } from './decide.ts';
import { fulfil, holdListing, releaseListing } from './holdListing.ts';
import { nextReceipt } from './nextReceipt.ts';

/** Delay before the bank is asked for the first time for the outcome of a payment without an event. */
const processingMs = 5000;
/** Maximum time between a capture and the provider's statement of its fee, in milliseconds. */
const feeKnownMs = 7 * 24 * 3600_000;
/** Delay before the provider is asked for the first time whether the payer continued, if no event reports it. */
const waitingMs = 60_000;

/**
 * Applies the provider's state to a payment, its listing, its receipt and the ledger, in one transaction. Repeated and
 * concurrent calls with the same response have no further effect.
 */
export function applyProviderState(
  scope: MoneyContext,
  { _id: paymentId, payee }: Pick<PaymentRecord, '_id' | 'payee'>,
  provided: ProviderPayment,
): Promise<PaymentRecord> {
  return inLedgerTransaction(payee.id, async (session) => {
    const payments = scoped(PaymentModel, scope.installation.id);
    const payment = await payments.findOne({ _id: paymentId }, { session });
    if (!payment) throw new Error(`The payment ${paymentId} no longer exists.`);
    // Of several provider objects for one payment, the first known one counts. Data of another one must not reach the
    // payer.
    if (payment.providerRef !== null && payment.providerRef !== provided.ref) return payment;
    const at = new Date(scope.platform.now());
    const { changes, effect } = decide(payment, provided, at.getTime());
    const moment = { scope, session, at };
    const effects = await takeEffect({ changes, effect }, payment, moment);
    const applied = { ...payment, ...changes, ...effects };
    const more = { ...effects, ...(await bookBesides(applied, provided, moment)) };
    const known = payment.providerRef === null ? { providerRef: provided.ref } : {};
    const decided = { ...payment, ...known, ...changes, ...more };
    const shown = toShown(scope, decided, provided);
    const after = { ...decided, ...shown, checkAt: nextCheck(payment, decided, at) };
    if (provided.state === 'succeeded' && decided.state !== 'succeeded')
      scope.platform.log.error(
        { paymentId, state: decided.state },
        'payment captured at the provider after it ended here: refund it there',
      );
    if (isGivenUp(payment, after))
      scope.platform.log.error(
        { paymentId },
        'fee of the payment provider is unknown: it is not in the ledger',
      );
    if (JSON.stringify(after) === JSON.stringify(payment)) return payment;
    const saved = await payments.findOneAndUpdate(
      { _id: paymentId, version: payment.version },
      {
        $set: { ...known, ...changes, ...more, ...shown, checkAt: after.checkAt, checks: 0, updatedAt: at },
        $inc: { version: 1 },
        ...announceChange(scope, payment, decided),
      },
      { session },
    );
    if (!saved) throw new Error(`The payment ${paymentId} changed in its own transaction.`);
    return saved;
  });
}

interface PaymentTransaction {
  scope: MoneyContext;
  session: ClientSession;
  at: Date;
}

/**
 * Applies the effects of a decision.
 *
 * @returns the members of the decision that change because of them
 */
async function takeEffect(
  { changes, effect }: Decision,
  payment: PaymentRecord,
  { scope, session, at }: PaymentTransaction,
): Promise<Partial<PaymentRecord>> {
  const moment = { scope, session };
  if (effect === 'release') await releaseListing(payment, moment);
  const failure = effect === 'hold' ? await holdListing(payment, moment) : null;
  if (failure) {
    // No money was taken, and none will be: the payment keeps its state until the provider has released it.
    const { state, endsAt, authorizedAt, authorizationExpiresAt, amountCapturable } = payment;
    const kept = { state, endsAt, authorizedAt, authorizationExpiresAt, amountCapturable };
    return { ...kept, failure, operation: { kind: 'cancel', amount: null } };
  }
  if (effect !== 'fulfil') return {};
  await fulfil(payment, moment);
  await book({ ...payment, ...changes }, { scope, session, at });
  return { receiptNumber: await nextReceipt(scope, at, session) };
}

/** Books the provider's fee for a capture, and the amounts that the payer has transferred and gets back. */
async function bookBesides(
  payment: PaymentRecord,
  { providerFee, amountToReturn }: ProviderPayment,
  { scope, session }: PaymentTransaction,
): Promise<Partial<PaymentRecord>> {
  const ledger = { platform: scope.platform, installationId: scope.installation.id };
  const more: Partial<PaymentRecord> = {};
  if (payment.providerFee === null && payment.state === 'succeeded' && providerFee !== null) {
    await postProviderFee(ledger, { paymentId: payment._id, fee: providerFee }, session);
    more.providerFee = providerFee;
  }
  if (amountToReturn > 0) {
    const { _id: paymentId, currency } = payment;
    const transfer = { paymentId, kind: 'transfer_unreturned', currency, amount: amountToReturn } as const;
    if (await postTransfer(ledger, transfer, session)) more.amountToReturn = amountToReturn;
  }
  return more;
}

function book(payment: PaymentRecord, { scope, session, at }: PaymentTransaction): Promise<void> {
  const { platform, installation } = scope;
  const { _id: paymentId, payee, currency, amountCaptured: amount, fee, capturedAt } = payment;
  const capture = {
    paymentId,
    dealerId: payee.type === 'dealer' ? payee.id : null,
    currency,
    amount,
    feeAmount: fee?.amount ?? 0,
    feeTaxAmount: fee?.taxAmount ?? 0,
    capturedAt: capturedAt ?? at,
  };
  const { earningsHeldDays } = installation.settings;
  return postCapture({ platform, installationId: installation.id }, capture, earningsHeldDays, session);
}

/** Returns the payer's action, if there is one. */
function toShown(
  { platform }: MoneyContext,
  { _id, state, clientSecret }: PaymentRecord,
  provided: ProviderPayment,
): Pick<PaymentRecord, 'clientSecret' | 'nextAction'> {
  if (!waitingStates.has(state)) return { clientSecret: null, nextAction: null };
  return sealAction(platform.secrets, _id, provided, clientSecret);
}

/** Returns whether the fee of a capture is no longer expected. */
function isGivenUp(before: PaymentRecord, after: PaymentRecord): boolean {
  const isFeeUnknown = after.state === 'succeeded' && after.providerFee === null;
  return isFeeUnknown && before.state === 'succeeded' && before.checkAt !== null && after.checkAt === null;
}

function isWithin(since: Date | null, at: Date, ms: number): boolean {
  return since !== null && at.getTime() - since.getTime() < ms;
}

/**
 * Returns when a payment is checked next: soon if an operation is pending, later if it waits for a bank or the payer,
 * and never if it is final.
 */
function nextCheck(before: PaymentRecord, after: PaymentRecord, at: Date): Date | null {
  const isWaiting = waitingStates.has(after.state);
  const isFeeUnknown = after.state === 'succeeded' && after.providerFee === null;
  const isToCancel = after.state === 'authorized' && after.failure !== null;
  const isOver = after.operation === null && after.state !== 'processing' && !isWaiting && !isToCancel;
  if (isOver && !(isFeeUnknown && isWithin(after.capturedAt, at, feeKnownMs))) return null;
  const isAsBefore = before.operation?.kind === after.operation?.kind && before.state === after.state;
  const waitMs = after.operation ? resumeAfterMs : isWaiting ? waitingMs : processingMs;
  // The process that resumed it has set the next check.
  return isAsBefore && before.checkAt ? before.checkAt : new Date(at.getTime() + waitMs);
}
