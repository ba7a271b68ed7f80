import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dealerAccounts } from './accounts.ts';
import { LedgerBalanceModel } from './model.ts';

/** Returns whether a dealer has unpaid earnings or debts. */
export async function hasBalance(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const open = await scoped(LedgerBalanceModel, installationId).findOne(
    { dealerId: _id, $or: dealerAccounts.map((name) => ({ [`accounts.${name}`]: { $ne: 0 } })) },
    { projection: { _id: 1 }, session },
  );
  return open !== null;
}
