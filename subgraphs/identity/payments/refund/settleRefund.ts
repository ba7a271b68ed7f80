import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { RetryRefundInput, SettleRefundInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { refundSettlement } from './postRefund.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';
import { invalidTransition } from './record/states.ts';
import { refundsJob } from './refundsJob.ts';
import { releaseRefunded } from './releaseRefunded.ts';
import { assertNotChargedBack } from './reserveRefund.ts';

const longestReference = 200;

/** Tries one again that was given up, once: where it fails again, it is given up again. */
export async function retryRefund(
  input: RetryRefundInput,
  context: RequestContext,
): Promise<{ refund: RefundRecord }> {
  const dueAt = new Date(context.platform.now());
  const act = { action: 'retryRefund', attempted: 'tried again' } as const;
  const refund = await reopenRefund(context, input.refundId, act, { dueAt });
  context.platform.signals.send(refundsJob.name);
  return { refund };
}

/** Records that the money was returned in another way: the refund is no longer retried, and stays as it is. */
export async function settleRefund(
  input: SettleRefundInput,
  context: RequestContext,
): Promise<{ refund: RefundRecord }> {
  const reference = input.reference.trim();
  const problems = [...checkText(reference, '#/reference', { maximum: longestReference })];
  if (reference === '') problems.push(problem('#/reference', 'Send how the money was returned.'));
  if (problems.length > 0) throw invalidFields(problems);
  const settlement = { reference, by: context.viewer.id, at: new Date(context.platform.now()) };
  const act = { action: 'settleRefund', attempted: 'settled' } as const;
  return { refund: await reopenRefund(context, input.refundId, act, { settlement }) };
}

interface Act {
  action: 'retryRefund' | 'settleRefund';
  attempted: string;
}

/** Of several who take one up at once one does; in one transaction with its line in the audit. */
function reopenRefund(
  context: RequestContext,
  _id: string,
  { action, attempted }: Act,
  changes: Partial<RefundRecord>,
): Promise<RefundRecord> {
  if (!isId('refund', _id)) throw notFound('The refund');
  const updatedAt = new Date(context.platform.now());
  return inTransaction(async (session) => {
    const refunds = scoped(RefundModel, context.installationId);
    const refund = await refunds.findOneAndUpdate(
      { _id, state: 'failed', givenUpAt: { $type: 'date' } },
      { $set: { ...changes, givenUpAt: null, updatedAt }, $inc: { version: 1 } },
      { session },
    );
    if (!refund) {
      const known = await refunds.findOne({ _id }, { session });
      if (!known) throw notFound('The refund');
      // An earlier run under the same key may have died before it could say so.
      if (context.attempt.isRepeated && known.givenUpAt === null) return known;
      throw invalidTransition(known.state, attempted);
    }
    if (changes.settlement) {
      // The payer's bank has returned the money: a settlement would return it a second time.
      const payment = await scoped(PaymentModel, context.installationId).findOne(
        { _id: refund.paymentId },
        { session },
      );
      if (payment) assertNotChargedBack(payment);
      await postTransaction(context, refundSettlement(refund), session);
      await releaseRefunded(context, refund, session);
    }
    const reason = changes.settlement?.reference ?? null;
    await recordAudit(context, { action, target: { type: 'refund', id: _id }, reason }, { session });
    return refund;
  });
}
