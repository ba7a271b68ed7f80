import type { ClientSession } from 'mongoose';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import type { LedgerContext } from './MoneyContext.ts';
import { LedgerBalanceModel } from './model.ts';
import { balanceId } from './postTransaction.ts';

/** Payment or payout that changed the available balance of its dealer. */
interface Cause {
  paymentId?: string;
  payoutId?: string;
  dealerId: string;
  currency: string;
}

/**
 * Logs that a dealer that is closed or being closed has a balance again: money has returned, or a dispute or a chargeback
 * has taken some. Neither a payout nor a sale follows, so finance has to transfer it or to collect it.
 */
export async function reportClosedDealer(
  { installationId, platform }: LedgerContext,
  { dealerId, currency, ...cause }: Cause,
  session: ClientSession,
): Promise<void> {
  const dealer = await reads(DealerModel, installationId).findOne({ _id: dealerId }, { session });
  if (dealer?.state !== 'closing' && dealer?.state !== 'closed') return;
  const _id = balanceId(installationId, dealerId, currency);
  const balance = await scoped(LedgerBalanceModel, installationId).findOne({ _id }, { session });
  const amount = balance?.accounts.available ?? 0;
  if (amount === 0) return;
  platform.log.error(
    { dealerId, ...cause, amount, currency },
    amount > 0
      ? 'money returned to a closed dealer: transfer it and record a ledger adjustment'
      : 'closed dealer owes money: collect it or record a ledger adjustment',
  );
}
