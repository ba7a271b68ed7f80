import type { ClientSession } from 'mongoose';
import { scoped } from '../../platform/installation/scoped.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import type { MoneyContext } from '../money/MoneyContext.ts';
import type { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { newsOf } from './newsOf.ts';
import { type PayoutMove, payoutTransaction } from './payoutTransaction.ts';

/** What belongs to a change of a payout. */
interface Reasons {
  /** Of the order that was just tried: one that the provider repeats makes the next order a new one. */
  failure?: ProviderFailure | null;
  /** Transactions of the ledger that are committed with the change. */
  moves?: readonly PayoutMove[];
}

/** Changes a payout that is still as it was read; null when another process has moved it meanwhile. */
export function changePayout(
  scope: MoneyContext,
  payout: PayoutRecord,
  changes: Partial<PayoutRecord>,
  { failure, moves = [] }: Reasons = {},
): Promise<PayoutRecord | null> {
  const { installationId, platform } = scope;
  const { _id, state, attempt, version } = payout;
  const change = (session?: ClientSession) =>
    scoped(PayoutModel, installationId).findOneAndUpdate(
      { _id, state, attempt, version },
      {
        $set: { ...changes, updatedAt: new Date(platform.now()) },
        $inc: { version: 1, ...(failure?.isKept && { tries: 1 }) },
        ...newsOf({ platform }, payout, changes),
      },
      { session },
    );
  if (moves.length === 0) return change();
  return inLedgerTransaction(payout.dealerId, async (session) => {
    const changed = await change(session);
    if (!changed) return null;
    for (const move of moves) await postTransaction(scope, payoutTransaction(payout, move), session);
    return changed;
  });
}
