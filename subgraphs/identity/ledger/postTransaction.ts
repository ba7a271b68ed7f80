import { changeBalance } from './changeBalance.ts';
import { findTransaction, toOperation, transactionId, writeJournal } from './journal.ts';
import type { LedgerScope } from './LedgerScope.ts';
import type { NewTransaction, Posted } from './NewTransaction.ts';

/**
 * Writes a transaction once: of any number of calls with the same source and kind, at once or after a crash, one has an
 * effect, and all of them answer it.
 *
 * The balance of the dealer changes first, in one conditional update that carries the transaction as a tag; then the
 * journal gets it, and the tag goes. From the first step on it has happened: whoever finds a tag finishes it, the job
 * `identity.ledger-recovery` if nobody else does.
 *
 * @throws AppError `insufficient_balance`, unless it may overdraw; `concurrent_update` if others are always faster
 */
export async function postTransaction(scope: LedgerScope, wanted: NewTransaction): Promise<Posted> {
  const _id = transactionId(scope.installationId, wanted);
  if (wanted.dealerId !== null) return changeBalance(scope, _id, { ...wanted, dealerId: wanted.dealerId });
  const earlier = await findTransaction(scope, _id);
  if (earlier) return { transaction: earlier, created: false };
  if (typeof wanted.postings === 'function') throw new Error('The house plans nothing by a balance.');
  const operation = toOperation(scope, _id, wanted, wanted.postings);
  return { transaction: await writeJournal(scope, operation), created: true };
}
