import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ReturnTransferInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { isTransferReturned, postTransfer } from '../ledger/postTransfer.ts';
import { PaymentModel, type PaymentRecord } from './record/model.ts';
import { sidesOf } from './record/policy.ts';
import { invalidTransition } from './record/states.ts';

const longestReference = 200;

/**
 * Records that the platform has returned an uncaptured bank transfer, or its remainder. The transfer itself is made at
 * the bank.
 */
export function returnTransfer(
  { paymentId: _id, ...input }: ReturnTransferInput,
  context: RequestContext,
): Promise<{ payment: PaymentRecord }> {
  const reference = input.reference.trim();
  const problems = [...checkText(reference, '#/reference', { maximum: longestReference })];
  if (reference === '')
    problems.push(problem('#/reference', 'Send the reference of the transfer to the payer.'));
  if (problems.length > 0) throw invalidFields(problems);
  const { platform, installationId } = context;
  return inTransaction(async (session) => {
    const payments = scoped(PaymentModel, installationId);
    const before = await payments.findOne({ _id }, { session });
    if (!before) throw notFound('The payment');
    assertFourEyes(context, sidesOf(before));
    const amount = before.amountToReturn ?? 0;
    if (amount === 0) {
      const isDone = context.attempt.isRepeated && (await isTransferReturned(context, _id, session));
      if (isDone) return { payment: before };
      throw invalidTransition(before.state, 'returned');
    }
    const payment = await payments.findOneAndUpdate(
      { _id, version: before.version },
      { $set: { amountToReturn: 0, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
    if (!payment) throw new Error(`The payment ${_id} changed in its own transaction.`);
    const transfer = { paymentId: _id, currency: before.currency, amount: -amount };
    await postTransfer(context, { ...transfer, kind: 'transfer_returned' }, session);
    const target = { type: 'payment', id: _id };
    await recordAudit(context, { action: 'returnTransfer', target, reason: reference }, { session });
    return { payment };
  });
}
