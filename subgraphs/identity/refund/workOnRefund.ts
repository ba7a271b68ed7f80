import type { ClientSession } from 'mongoose';
import type { RefundChanged } from '../../../schema/events.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import type { MoneyContext } from '../money/MoneyContext.ts';
import { PaymentModel } from '../payment/model.ts';
import type { ProviderRefund } from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { RefundModel, type RefundRecord } from './model.ts';
import { postRefundFailure } from './postRefund.ts';
import { releaseRefunded } from './releaseRefunded.ts';
import { isAllowed, type RefundState } from './states.ts';

/** What is told when a refund comes to a state. */
const told: Readonly<Record<RefundState, RefundChanged['type']>> = {
  pending: 'refund.updated',
  succeeded: 'refund.succeeded',
  failed: 'refund.failed',
  canceled: 'refund.canceled',
};

const hourMs = 3_600_000;
const mostAttempts = 5;
/** How often the provider is asked what became of it; its webhook is faster. */
const askMs = 10 * 60_000;

/** The next step of one refund. Each is conditional on what is stored, so that it can be cut short and repeated. */
export async function workOnRefund(scope: MoneyContext, refund: RefundRecord): Promise<RefundRecord> {
  if (refund.state === 'failed') {
    const again = { state: 'pending' as const, attempt: refund.attempt + 1, ref: null, failureCode: null };
    const retried = await change(scope, refund, again);
    return retried ? ask(scope, retried) : reread(scope, refund);
  }
  return ask(scope, refund);
}

async function ask(scope: MoneyContext, refund: RefundRecord): Promise<RefundRecord> {
  const { _id: refundId, attempt, tries, paymentRef, amount, currency, reason, ref } = refund;
  const provider = providerOf(scope.platform, scope.installation, refund.provider);
  try {
    const order = { refundId, attempt, tries, paymentRef, amount: { amount, currency }, reason };
    return await learn(
      scope,
      refund,
      ref === null ? await provider.createRefund(order) : await provider.readRefund(ref),
    );
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    scope.platform.log.warn({ err: error, refundId }, 'refund not made');
    if (error.isFinal && ref === null && refund.state === 'pending') return cancel(scope, refund, error.code);
    const dueAt = new Date(scope.platform.now() + waitAfter(error));
    return (await change(scope, refund, { dueAt }, { failure: error })) ?? reread(scope, refund);
  }
}

async function learn(scope: MoneyContext, refund: RefundRecord, seen: ProviderRefund): Promise<RefundRecord> {
  const { ref, failureCode } = seen;
  const now = scope.platform.now();
  if (seen.state === 'canceled' && refund.state === 'pending')
    return cancel(scope, { ...refund, ref }, failureCode ?? 'canceled');
  const isNew = isAllowed(refund.state, seen.state);
  const state = isNew ? seen.state : refund.state;
  const waits: Record<string, Date | null> = {
    pending: new Date(now + askMs),
    failed: refund.attempt < mostAttempts ? new Date(now + hourMs * 2 ** refund.attempt) : null,
  };
  const dueAt = waits[state] ?? null;
  const isGivenUp = state === 'failed' && dueAt === null;
  if (isGivenUp)
    scope.platform.log.error({ refundId: refund._id }, 'refund failed for good: somebody has to look');
  const changes = {
    ref,
    state,
    dueAt,
    failureCode: state === 'failed' ? (failureCode ?? 'failed') : null,
    givenUpAt: isGivenUp ? new Date(now) : null,
  };
  const changed =
    isNew && state === 'succeeded' ? succeed(scope, refund, changes) : change(scope, refund, changes);
  return (await changed) ?? reread(scope, refund);
}

/** A payment that has gone back whole no longer holds its listing. */
function succeed(
  scope: MoneyContext,
  refund: RefundRecord,
  changes: Partial<RefundRecord>,
): Promise<RefundRecord | null> {
  return inTransaction(async (session) => {
    const changed = await change(scope, refund, changes, { session });
    if (changed) await releaseRefunded(scope, refund, session);
    return changed;
  });
}

/** Called off: the money is the dealer's again, and does not count against the payment any more. */
async function cancel(scope: MoneyContext, refund: RefundRecord, failureCode: string): Promise<RefundRecord> {
  const at = new Date(scope.platform.now());
  const { ref, disputeId } = refund;
  if (disputeId !== null) {
    // What a dispute has lost is the payer's, whatever the provider says: it counts against the payment until finance has
    // brought it to the payer.
    scope.platform.log.error(
      { refundId: refund._id },
      'refund of a lost dispute refused: finance has to act',
    );
    const failed = { state: 'failed' as const, failureCode, ref, dueAt: null, givenUpAt: at };
    return (await change(scope, refund, failed)) ?? reread(scope, refund);
  }
  const canceled = await inLedgerTransaction(refund.dealerId, async (session) => {
    const off = { state: 'canceled', failureCode, ref, dueAt: null } as const;
    const changed = await change(scope, refund, off, { session });
    if (!changed) return null;
    await scoped(PaymentModel, scope.installationId).findOneAndUpdate(
      { _id: refund.paymentId },
      { $inc: { amountRefunded: -refund.amount, version: 1 }, $set: { updatedAt: at } },
      { session },
    );
    await postRefundFailure(scope, refund, session);
    return changed;
  });
  return canceled ?? reread(scope, refund);
}

/**
 * Null when somebody else has moved it meanwhile.
 *
 * @param options.failure of the order that was just tried: one that the provider repeats makes the next order a new one
 */
async function change(
  { installationId, platform }: MoneyContext,
  { _id, state, version }: RefundRecord,
  changes: Partial<RefundRecord>,
  { failure, session }: { failure?: ProviderFailure; session?: ClientSession } = {},
): Promise<RefundRecord | null> {
  const to = changes.state ?? state;
  return scoped(RefundModel, installationId).findOneAndUpdate(
    { _id, state, version },
    {
      $set: { ...changes, updatedAt: new Date(platform.now()) },
      $inc: { version: 1, ...(failure?.isKept && { tries: 1 }) },
      ...(to !== state && { $push: announce({ platform }, told[to], { data: { state: to } }) }),
    },
    session && { session },
  );
}

async function reread({ installationId }: MoneyContext, { _id }: RefundRecord): Promise<RefundRecord> {
  const found = await scoped(RefundModel, installationId).findOne({ _id });
  if (!found) throw new Error(`The refund ${_id} is gone.`);
  return found;
}
