import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { ReturnTransferInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import type { LedgerKind } from '../ledger/model.ts';
import { findTransaction, postTransaction } from '../ledger/postTransaction.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';
import { invalidTransition } from './states.ts';

const longestReference = 200;

/**
 * Records that the platform has returned a bank transfer, or the rest of one, that it did not capture. The transfer itself is
 * made at the bank.
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
    const amount = before.amountToReturn ?? 0;
    if (amount === 0) {
      const isDone = await findTransaction(context, transactionOf(_id, 'transfer_returned'), session);
      if (isDone && context.attempt.isRepeated) return { payment: before };
      throw invalidTransition(before.state, 'returned');
    }
    const payment = await payments.findOneAndUpdate(
      { _id, version: before.version },
      { $set: { amountToReturn: 0, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
    if (!payment) throw new Error(`The payment ${_id} changed in its own transaction.`);
    await post(context, { payment, kind: 'transfer_returned', amount: -amount }, session);
    const target = { type: 'payment', id: _id };
    await recordAudit(context, { action: 'returnTransfer', target, reason: reference }, { session });
    return { payment };
  });
}

/** Books what the payer has transferred and nobody captured, once: the platform owes it to the payer. */
export async function bookUnreturned(
  scope: LedgerContext,
  payment: PaymentRecord,
  amount: number,
  session: ClientSession,
): Promise<Pick<PaymentRecord, 'amountToReturn'>> {
  const isNew = await post(scope, { payment, kind: 'transfer_unreturned', amount }, session);
  return isNew ? { amountToReturn: amount } : {};
}

async function post(
  scope: LedgerContext,
  { payment, kind, amount }: { payment: PaymentRecord; kind: LedgerKind; amount: number },
  session: ClientSession,
): Promise<boolean> {
  const { _id: paymentId, currency } = payment;
  const postings = [
    { account: 'psp_clearing', currency, amount: -amount },
    { account: 'unreturned', currency, amount },
  ];
  const common = { ...transactionOf(paymentId, kind), dealerId: null, currency, paymentId };
  return (await postTransaction(scope, { ...common, postings }, session)).isNew;
}

function transactionOf(id: string, kind: LedgerKind) {
  return { kind, source: { type: 'payment', id } } as const;
}
