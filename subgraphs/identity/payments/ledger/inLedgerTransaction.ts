import type { ClientSession } from 'mongoose';
import { queueByKey } from '../../../platform/concurrency/queueByKey.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';

/**
 * A database transaction that may change the balance of a dealer. Those of one dealer run one after the other in this
 * process: all write its balance, so that of several at once all but one would begin again. A hundred concurrent ones
 * take a third of the processor time, and of the time, that they take otherwise.
 *
 * @param dealerId null where only accounts of the house are changed
 */
export function inLedgerTransaction<T>(
  dealerId: string | null,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  if (dealerId === null) return inTransaction(work);
  return queueByKey([`ledger:${dealerId}`], { concurrency: 1 }, () => inTransaction(work));
}
