import type { ClientSession } from 'mongoose';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { payoutTransaction } from './payoutTransaction.ts';

/** Period in which a payout can be held before it is sent: five minutes. */
export const reflectionMs = 5 * 60_000;

/**
 * Stores a payout and sets its amount aside, in one transaction.
 *
 * @throws AppError `insufficient_balance`
 */
export async function createPayout(
  scope: LedgerContext,
  stated: Pick<PayoutRecord, '_id' | 'dealerId' | 'amount' | 'kind'>,
  session: ClientSession,
): Promise<PayoutRecord> {
  const { installationId, platform } = scope;
  const at = new Date(platform.now());
  const payout = await scoped(PayoutModel, installationId).insert(
    {
      ...stated,
      state: 'pending',
      hold: null,
      provider: platform.payments.provider,
      ref: null,
      attempt: 1,
      transfer: null,
      tries: 0,
      arrivalDate: null,
      failureCode: null,
      stalledSince: null,
      dueAt: new Date(at.getTime() + reflectionMs),
      ...firstOutbox(scope, 'payout.created', { data: { state: 'pending' } }),
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    { session },
  );
  await postTransaction(scope, payoutTransaction(payout, 'payout'), session);
  return payout;
}
