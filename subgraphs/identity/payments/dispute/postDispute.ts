import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import { amountsOf, dealerAccount } from '../ledger/accounts.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { type LedgerSource, LedgerTransactionModel } from '../ledger/model.ts';
import { amountsOfPayment, postTransaction } from '../ledger/postTransaction.ts';
import type { DisputeRecord } from './record/model.ts';

/**
 * Margin before the release time of pending earnings. Later money must not return to pending, where no job would
 * release it.
 */
const marginMs = hourMs;

/**
 * Holds the disputed amount: first from the remaining earnings of the payment, then from the available balance, which
 * may become negative.
 */
export async function postHold(
  scope: LedgerContext,
  { _id, dealerId, currency, amount, paymentId }: DisputeRecord,
  session: ClientSession,
): Promise<void> {
  const { pending } = await amountsOfPayment(scope, { paymentId, dealerId }, session);
  const fromPending = Math.min(Math.max(pending, 0), amount);
  const postings = [
    { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
    { account: dealerAccount(dealerId, 'available'), currency, amount: fromPending - amount },
    { account: dealerAccount(dealerId, 'held'), currency, amount },
  ];
  const common = { dealerId, currency, paymentId, mayOverdraw: true };
  const source = { type: 'dispute', id: _id } as const;
  await postTransaction(scope, { ...common, kind: 'dispute_hold', source, postings }, session);
}

/** Part of a held amount that is released, and the record that causes it. */
interface Release {
  /** Minor units. */
  readonly released: number;
  readonly source: LedgerSource;
}

/** Releases a part of the held amount to the dealer: to the accounts that it was taken from. */
export async function postRelease(
  scope: LedgerContext,
  dispute: DisputeRecord,
  { released, source }: Release,
  session: ClientSession,
): Promise<void> {
  const { dealerId, currency, paymentId, availableAt } = dispute;
  if (released === 0) return;
  const isPending = availableAt !== null && availableAt.getTime() - marginMs > scope.platform.now();
  const toAvailable = isPending
    ? Math.min(released, await takenFromAvailable(scope, dispute, session))
    : released;
  const postings = [
    { account: dealerAccount(dealerId, 'held'), currency, amount: -released },
    { account: dealerAccount(dealerId, 'available'), currency, amount: toAvailable },
    { account: dealerAccount(dealerId, 'pending'), currency, amount: released - toAvailable },
  ];
  await postTransaction(
    scope,
    { kind: 'dispute_release', source, dealerId, currency, paymentId, postings },
    session,
  );
}

/** Returns what the dispute took from the available balance and has not released to it. */
async function takenFromAvailable(
  { installationId }: LedgerContext,
  { dealerId, paymentId }: DisputeRecord,
  session: ClientSession,
): Promise<number> {
  // A payment has at most one dispute.
  const moved = await scoped(LedgerTransactionModel, installationId).find(
    { paymentId, dealerId, kind: { $in: ['dispute_hold', 'dispute_release'] } },
    { sort: { at: -1, _id: -1 }, session },
  );
  return moved.reduce((sum, { postings }) => sum - amountsOf(postings, dealerId).available, 0);
}
