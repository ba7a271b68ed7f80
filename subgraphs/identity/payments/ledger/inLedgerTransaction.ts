import type { ClientSession } from 'mongoose';
import { queueByKey } from '../../../platform/concurrency/queueByKey.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';

/**
 * Runs a database transaction that may change a dealer's balance. Transactions of one dealer run one after the other in
 * this process. All of them write its balance, so all but one of several concurrent ones would be retried. For a
 * hundred concurrent transactions, this takes a third of the processor time and of the duration.
 *
 * @param dealerId null if only accounts of the platform are changed
 */
export function inLedgerTransaction<T>(
  dealerId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  if (dealerId === null) return inTransaction(work);
  return queueByKey([`ledger:${dealerId}`], { concurrency: 1 }, () => inTransaction(work));
}
