import type { ClientSession } from 'mongoose';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { OpenDisputeInput } from '../../identity.generated.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import { findTransaction } from '../ledger/postTransaction.ts';
import { reportClosedDealer } from '../ledger/reportClosedDealer.ts';
import { amountLeft } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import { paymentLoader } from '../payment/record/policy.ts';
import { checkAmount } from '../payment-provider/checkAmount.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { assertNotChargedBack, exceedsCaptured } from '../refund/reserveRefund.ts';
import { postHold } from './postDispute.ts';
import { DisputeModel, type DisputeRecord } from './record/model.ts';

const windowMs = 90 * dayMs;
const answerMs = 7 * dayMs;
const longestText = 4000;

export async function openDispute(
  input: OpenDisputeInput,
  context: RequestContext,
): Promise<{ dispute: DisputeRecord }> {
  const _id = context.attempt.newId('dispute');
  const known = await context.loader(paymentLoader).load(input.paymentId);
  if (!known) throw notFound('The payment');
  return {
    dispute: await inLedgerTransaction(known.payee.id, (session) => open(_id, input, context, session)),
  };
}

/** Stores the dispute, its reference in the payment and the held amount in one transaction. */
async function open(
  _id: string,
  input: OpenDisputeInput,
  context: RequestContext,
  session: ClientSession,
): Promise<DisputeRecord> {
  const at = new Date(context.platform.now());
  const disputes = scoped(DisputeModel, context.installationId);
  const earlier = await disputes.findOne({ _id }, { session });
  if (earlier) return earlier;
  const payments = scoped(PaymentModel, context.installationId);
  const payment = await payments.findOne({ _id: input.paymentId }, { session });
  if (!payment) throw notFound('The payment');
  const amount = input.amount?.amount ?? amountLeft(payment);
  assertFields(input, payment, providerOf(context.platform, context.installation, payment.provider));
  assertDisputable(payment, amount, at);
  const marked = await payments.findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    { $set: { disputeId: _id, updatedAt: at }, $inc: { version: 1 } },
    { session },
  );
  if (!marked) throw concurrentUpdate('payment');
  const source = { type: 'payment', id: payment._id } as const;
  const charge = await findTransaction(context, { kind: 'charge', source }, session);
  const respondBy = new Date(at.getTime() + answerMs);
  const dispute = await disputes.insert(
    {
      _id,
      paymentId: payment._id,
      payerId: payment.payer.userId,
      dealerId: payment.payee.id,
      currency: payment.currency,
      amount,
      reason: input.reason,
      text: input.text.trim(),
      state: 'needs_response',
      respondBy,
      evidence: [],
      outcome: null,
      availableAt: charge?.availableAt ?? null,
      dueAt: respondBy,
      ...firstOutbox(context, 'dispute.opened', { data: { state: 'needs_response' } }),
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    { session },
  );
  await postHold(context, dispute, session);
  const { dealerId, paymentId, currency } = dispute;
  await reportClosedDealer(context, { dealerId, paymentId, currency }, session);
  return dispute;
}

function assertFields(
  { text, amount }: OpenDisputeInput,
  { currency }: PaymentRecord,
  provider: PaymentProvider,
): void {
  const problems = [...checkText(text.trim(), '#/text', { maximum: longestText })];
  if (text.trim() === '') problems.push(problem('#/text', 'A dispute needs a description.'));
  if (amount && amount.amount <= 0)
    problems.push(problem('#/amount/amount', 'The disputed amount must be greater than 0.'));
  if (amount && amount.currency !== currency)
    problems.push(
      problem('#/amount/currency', `The currency must be ${currency}, the currency of the payment.`),
    );
  // The disputed amount of a lost dispute is refunded to the payer.
  else if (amount) problems.push(...checkAmount(provider, amount, '#/amount/amount'));
  if (problems.length > 0) throw invalidFields(problems);
}

function assertDisputable(payment: PaymentRecord, amount: number, at: Date): void {
  const { disputeId, capturedAt, state, payee } = payment;
  if (disputeId !== null)
    throw new AppError(
      'dispute_exists',
      'This payment already has or had a dispute. A payment can be disputed once.',
    );
  if (state !== 'succeeded' || !capturedAt || payee.type !== 'dealer')
    throw new AppError('invalid_transition', 'Only a captured payment to a dealer can be disputed.');
  if (at.getTime() - capturedAt.getTime() > windowMs)
    throw new AppError(
      'dispute_window_over',
      'A payment can only be disputed within 90 days of its capture.',
    );
  assertNotChargedBack(payment);
  const left = amountLeft(payment);
  if (amount <= 0 || amount > left) throw exceedsCaptured(payment, left);
}
