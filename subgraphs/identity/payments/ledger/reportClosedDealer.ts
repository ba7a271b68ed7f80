import type { ClientSession } from 'mongoose';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import type { LedgerContext } from './MoneyContext.ts';
import { LedgerBalanceModel } from './model.ts';
import { balanceId } from './postTransaction.ts';

/** Payment or payout whose money returned to its dealer. */
interface Returned {
  paymentId?: string;
  payoutId?: string;
  dealerId: string;
  currency: string;
}

/**
 * Logs that a closed dealer has a balance again, because money has returned. No payout follows, so finance has
 * to transfer it.
 */
export async function reportClosedDealer(
  { installationId, platform }: LedgerContext,
  { dealerId, currency, ...cause }: Returned,
  session: ClientSession,
): Promise<void> {
  const dealer = await reads(DealerModel, installationId).findOne({ _id: dealerId }, { session });
  if (dealer?.state !== 'closed') return;
  const _id = balanceId(installationId, dealerId, currency);
  const balance = await scoped(LedgerBalanceModel, installationId).findOne({ _id }, { session });
  const amount = balance?.accounts.available ?? 0;
  if (amount <= 0) return;
  platform.log.error(
    { dealerId, ...cause, amount, currency },
    'money returned to a closed dealer: transfer it and record a ledger adjustment',
  );
}
