import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { asFinal } from '../../../platform/idempotency/finalAnswers.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { CreateRefundInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { keptForDispute } from '../dispute/record/keptForDispute.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import { amountLeft } from '../payment/record/amountLeft.ts';
import { PaymentModel, type PaymentRecord } from '../payment/record/model.ts';
import { isPayee, paymentLoader, sidesOf } from '../payment/record/policy.ts';
import { checkAmount } from '../payment-provider/checkAmount.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { disputedCode, refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';
import { refundSteps } from './refundSteps.ts';
import { assertNotChargedBack, chargedBack, exceedsCaptured, reserveRefund } from './reserveRefund.ts';

const longestNote = 500;

export async function createRefund(
  input: CreateRefundInput,
  context: RequestContext,
): Promise<{ refund: RefundRecord }> {
  const _id = context.attempt.newId('refund');
  const reserved = await reserve(_id, input, context);
  const isOpen = reserved.state === 'pending' && reserved.ref === null;
  const refund = isOpen ? await takeSteps(refundSteps, context, reserved) : reserved;
  // A run that crashed before it responded gets the same response.
  if (refund.state === 'canceled')
    throw refund.failureCode === disputedCode ? asFinal(chargedBack()) : refusedByProvider();
  return { refund };
}

async function reserve(
  _id: string,
  input: CreateRefundInput,
  context: RequestContext,
): Promise<RefundRecord> {
  const known = await context.loader(paymentLoader).load(input.paymentId);
  if (!known) throw notFound('The payment');
  // The guard admits the payee, and staff with the permission.
  if (!isPayee(context.viewer, known)) assertFourEyes(context, sidesOf(known));
  return inLedgerTransaction(known.payee.id, async (session) => {
    // An earlier run under the same key may have crashed before it responded.
    const earlier = await scoped(RefundModel, context.installationId).findOne({ _id }, { session });
    if (earlier) return earlier;
    const payments = scoped(PaymentModel, context.installationId);
    const payment = await payments.findOne({ _id: input.paymentId }, { session });
    if (!payment) throw notFound('The payment');
    assertFields(input, payment, providerOf(context.platform, context.installation, payment.provider));
    assertNotChargedBack(payment);
    const kept = await keptForDispute(payment, session);
    const left = amountLeft(payment) - kept;
    const amount = input.amount?.amount ?? left;
    if (amount <= 0) throw exceedsCaptured(payment, left);
    const { reason, note } = input;
    const wanted = { _id, amount, reason, note: note?.trim() || null, disputeId: null };
    const refund = await reserveRefund(context, payment, { ...wanted, kept }, session);
    await recordAudit(
      context,
      { action: 'createRefund', target: { type: 'refund', id: _id }, reason },
      { session },
    );
    return refund;
  });
}

function assertFields(
  { amount, note }: CreateRefundInput,
  { currency }: PaymentRecord,
  provider: PaymentProvider,
): void {
  const problems = [...checkText(note ?? '', '#/note', { maximum: longestNote })];
  if (amount && amount.amount <= 0)
    problems.push(problem('#/amount/amount', 'The amount must be greater than 0.'));
  if (amount && amount.currency !== currency)
    problems.push(
      problem('#/amount/currency', `The currency must be ${currency}, the currency of the payment.`),
    );
  else if (amount) problems.push(...checkAmount(provider, amount, '#/amount/amount'));
  if (problems.length > 0) throw invalidFields(problems);
}
