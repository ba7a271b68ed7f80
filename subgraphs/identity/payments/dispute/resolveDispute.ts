import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { repeatableId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { ResolveDisputeInput, WithdrawDisputeInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkText } from '../../kernel/text/checkLine.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import { reportClosedDealer } from '../ledger/reportClosedDealer.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { checkAmount } from '../payment-provider/checkAmount.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { refundsJob } from '../refund/refundsJob.ts';
import { reserveRefund } from '../refund/reserveRefund.ts';
import { endDispute } from './endDispute.ts';
import { disputeLoader } from './policy.ts';
import { DisputeModel, type DisputeRecord, type StoredOutcome } from './record/model.ts';
import { type DisputeState, invalidTransition, openStates } from './record/states.ts';

const longestStatement = 2000;

export async function resolveDispute(
  input: ResolveDisputeInput,
  context: RequestContext,
): Promise<{ dispute: DisputeRecord }> {
  const { disputeId, outcome: state } = input;
  const decision = {
    disputeId,
    state,
    statement: input.statement.trim(),
    key: context.attempt.newId('dispute'),
  };
  return decide(context, decision, (dispute) => {
    assertFourEyes(context, dispute);
    return refundedBy(input, dispute);
  });
}

/** Withdraws a dispute of the caller. */
export async function withdrawDispute(
  input: WithdrawDisputeInput,
  context: RequestContext,
): Promise<{ dispute: DisputeRecord }> {
  const { disputeId } = input;
  const decision = {
    disputeId,
    state: 'withdrawn' as const,
    statement: '-',
    key: context.attempt.newId('dispute'),
  };
  return decide(context, decision, () => 0);
}

/** Returns the amount for the payer: nothing, all of it, or the stated amount. */
function refundedBy(
  { outcome, refundAmount, statement }: ResolveDisputeInput,
  { amount, currency }: DisputeRecord,
): number {
  const problems = [...checkText(statement.trim(), '#/statement', { maximum: longestStatement })];
  if (statement.trim() === '') problems.push(problem('#/statement', 'A decision needs a reason.'));
  if (outcome !== 'split' && refundAmount)
    problems.push(
      problem('#/refundAmount', 'An amount is only allowed if the decision is to split the payment.'),
    );
  if (outcome === 'split') {
    const part = refundAmount?.amount ?? 0;
    if (part <= 0 || part >= amount)
      problems.push(problem('#/refundAmount', `The amount must be greater than 0 and less than ${amount}.`));
    else if (refundAmount?.currency !== currency)
      problems.push(
        problem('#/refundAmount/currency', `The currency must be ${currency}, the currency of the payment.`),
      );
  }
  if (problems.length > 0) throw invalidFields(problems);
  if (outcome === 'split') return refundAmount?.amount ?? 0;
  return outcome === 'lost' ? amount : 0;
}

interface Decision {
  disputeId: string;
  state: Exclude<DisputeState, 'needs_response' | 'under_review'>;
  statement: string;
  /** Follows from the idempotency key: by it a decision that was cut short is known again. */
  key: string;
}

/** Stores the decision, the resulting refund and release, and the audit event in one transaction. */
async function decide(
  context: RequestContext,
  decision: Decision,
  refundedOf: (dispute: DisputeRecord) => number,
): Promise<{ dispute: DisputeRecord }> {
  const known = await context.loader(disputeLoader).load(decision.disputeId);
  if (!known) throw notFound('The dispute');
  const dispute = await inLedgerTransaction(known.dealerId, (session) =>
    write(context, decision, refundedOf, session),
  );
  context.platform.signals.send(refundsJob.name);
  return { dispute };
}

async function write(
  context: RequestContext,
  { disputeId: _id, state, statement, key }: Decision,
  refundedOf: (dispute: DisputeRecord) => number,
  session: ClientSession,
): Promise<DisputeRecord> {
  const disputes = scoped(DisputeModel, context.installationId);
  const before = await disputes.findOne({ _id }, { session });
  if (!before) throw notFound('The dispute');
  const refunded = refundedOf(before);
  if (before.outcome?.key === key) return before;
  if (!openStates.includes(before.state)) throw invalidTransition(before.state, 'decided');
  const at = new Date(context.platform.now());
  const outcome: StoredOutcome = { refunded, statement, by: context.viewer.id, at, key };
  const after = await endDispute(context, before, { state, outcome }, session);
  if (refunded > 0) await refund(context, after, refunded, session);
  const { dealerId, paymentId, currency } = after;
  await reportClosedDealer(context, { dealerId, paymentId, currency }, session);
  const action = state === 'withdrawn' ? 'withdrawDispute' : 'resolveDispute';
  const target = { type: 'dispute', id: _id };
  await recordAudit(context, { action, target, reason: `${state}: ${statement}` }, { session });
  return after;
}

async function refund(
  context: RequestContext,
  { _id, paymentId }: DisputeRecord,
  amount: number,
  session: ClientSession,
): Promise<void> {
  const payment = await scoped(PaymentModel, context.installationId).findOne({ _id: paymentId }, { session });
  if (!payment) throw notFound('The payment');
  const provider = providerOf(context.platform, context.installation, payment.provider);
  const problems = [...checkAmount(provider, { amount, currency: payment.currency }, '#/refundAmount')];
  if (problems.length > 0) throw invalidFields(problems);
  const refundId = repeatableId('refund', context.installationId, _id);
  const wanted = { _id: refundId, amount, reason: 'other', note: null, disputeId: _id, kept: 0 } as const;
  await reserveRefund(context, payment, wanted, session);
}
