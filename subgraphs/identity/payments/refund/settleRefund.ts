import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RetryRefundInput, SettleRefundInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { isReturnedTwice } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import { toUpdate } from '../steps/takeSteps.ts';
import { refundSettlement } from './postRefund.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';
import { invalidTransition } from './record/states.ts';
import { refundSteps } from './refundSteps.ts';
import { refundsJob } from './refundsJob.ts';
import { releaseRefunded } from './releaseRefunded.ts';
import { assertNotChargedBack, chargedBack } from './reserveRefund.ts';

const longestReference = 200;

/** Retries a permanently failed refund once. If it fails again, it waits for finance again. */
export async function retryRefund(
  input: RetryRefundInput,
  context: RequestContext,
): Promise<{ refund: RefundRecord }> {
  const dueAt = new Date(context.platform.now());
  const refund = await claimRefund(context, input.refundId, {
    action: 'retryRefund',
    attempted: 'tried again',
    isDone: ({ settlement }) => settlement === null,
    changesOf: ({ state }) => (state === 'failed' ? { dueAt } : null),
  });
  context.platform.signals.send(refundsJob.name);
  return { refund };
}

/**
 * Records that finance has returned the money by a bank transfer. A permanently failed refund keeps its state; a refund
 * by bank transfer succeeds.
 */
export async function settleRefund(
  input: SettleRefundInput,
  context: RequestContext,
): Promise<{ refund: RefundRecord }> {
  const reference = input.reference.trim();
  const problems = [...checkText(reference, '#/reference', { maximum: longestReference })];
  if (reference === '') problems.push(problem('#/reference', 'Send how the money was returned.'));
  if (problems.length > 0) throw invalidFields(problems);
  const at = new Date(context.platform.now());
  const settlement = { reference, by: context.viewer.id, at };
  const refund = await claimRefund(context, input.refundId, {
    action: 'settleRefund',
    attempted: 'settled',
    isDone: (known) => known.settlement?.reference === reference,
    changesOf: ({ state }) =>
      state === 'pending' ? { settlement, state: 'succeeded', succeededAt: at } : { settlement },
  });
  return { refund };
}

/** Action of finance for a waiting refund. */
interface Act {
  readonly action: 'retryRefund' | 'settleRefund';
  readonly attempted: string;
  /** Returns whether a refund that does not wait was processed by an earlier run under the same key. */
  isDone(known: RefundRecord): boolean;
  /** Returns the changes; null if the state of the refund does not allow it. */
  changesOf(before: RefundRecord): Partial<RefundRecord> | null;
}

/**
 * Claims a refund that waits for finance, in one transaction with its audit event. Of several concurrent calls, one
 * succeeds.
 */
function claimRefund(context: RequestContext, _id: string, { action, ...act }: Act): Promise<RefundRecord> {
  if (!isId('refund', _id)) throw notFound('The refund');
  return inTransaction(async (session) => {
    const refunds = scoped(RefundModel, context.installationId);
    const payments = scoped(PaymentModel, context.installationId);
    const before = await refunds.findOne({ _id }, { session });
    if (!before) throw notFound('The refund');
    const { paymentId, dealerId } = before;
    const payment = await payments.findOne({ _id: paymentId }, { session });
    assertFourEyes(context, { payerId: payment?.payer.userId, dealerId });
    const isWaiting = before.givenUpAt !== null;
    // An earlier run under the same key may have crashed before it responded.
    if (!isWaiting && context.attempt.isRepeated && act.isDone(before)) return before;
    const changes = isWaiting ? act.changesOf(before) : null;
    if (!changes) throw invalidTransition(before.state, act.attempted);
    if (changes.settlement && payment) assertNotReturned(payment, before);
    const refund = await refunds.findOneAndUpdate(
      { _id, version: before.version },
      toUpdate(refundSteps, context, before, { ...changes, givenUpAt: null }),
      { session },
    );
    if (!refund) throw new Error(`The refund ${_id} changed in its own transaction.`);
    if (changes.settlement) {
      // The provider still has the money of a failed refund.
      if (before.state === 'failed') await postTransaction(context, refundSettlement(refund), session);
      await releaseRefunded(context, refund, session);
    }
    const reason = changes.settlement?.reference ?? null;
    await recordAudit(context, { action, target: { type: 'refund', id: _id }, reason }, { session });
    return refund;
  });
}

/**
 * Checks that the payer's bank has not returned the money; a settlement would return it twice. What a dispute lost beside
 * a chargeback of a part is owed in addition.
 */
function assertNotReturned(payment: PaymentRecord, { disputeId }: RefundRecord): void {
  if (disputeId === null) assertNotChargedBack(payment);
  else if (isReturnedTwice(payment)) throw chargedBack();
}
