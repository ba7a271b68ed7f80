import type { ClientSession } from 'mongoose';
import { repeatOnDuplicate } from '../../../../platform/installation/repeatOnDuplicate.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { ReceiptCounterModel } from '../record/model.ts';

/**
 * Returns the next receipt number of the installation in this year (UTC). It is incremented in the transaction of the
 * payment, so there are no gaps.
 */
export async function nextReceipt(
  { installation }: MoneyContext,
  at: Date,
  session: ClientSession,
): Promise<string> {
  const year = at.getUTCFullYear();
  const counter = await repeatOnDuplicate(() =>
    scoped(ReceiptCounterModel, installation.id).findOneAndUpdate(
      { _id: `${installation.id}:${year}` },
      { $inc: { last: 1 } },
      { session, upsert: true },
    ),
  );
  return `${year}-${String(counter?.last ?? 1).padStart(6, '0')}`;
}
