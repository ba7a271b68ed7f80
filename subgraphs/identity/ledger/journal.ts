import { repeatableId } from '../../platform/ids/newId.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { amountsOf, type DealerAmounts, type Posting } from './accounts.ts';
import { assertBalanced } from './assertBalanced.ts';
import type { LedgerScope } from './LedgerScope.ts';
import {
  LedgerBalanceModel,
  LedgerTransactionModel,
  type LedgerTransactionRecord,
  type TaggedOperation,
} from './model.ts';
import type { NewTransaction } from './NewTransaction.ts';

/** Id of the one transaction with this source and kind. */
export function transactionId(
  installationId: string,
  { kind, source }: Pick<NewTransaction, 'kind' | 'source'>,
): string {
  return repeatableId('ledgerTransaction', installationId, source.type, source.id, kind);
}

export function findTransaction(
  { installationId }: LedgerScope,
  _id: string,
): Promise<LedgerTransactionRecord | null> {
  return scoped(LedgerTransactionModel, installationId).findOne({ _id });
}

/** The transaction as it will stand in the journal. */
export function toOperation(
  { platform }: LedgerScope,
  _id: string,
  { kind, source, dealerId, currency, ...rest }: NewTransaction,
  planned: readonly Posting[],
): TaggedOperation {
  const postings = planned.filter(({ amount }) => amount !== 0);
  assertBalanced(postings, { dealerId, currency });
  return {
    _id,
    kind,
    source,
    dealerId,
    currency,
    postings,
    availableAt: rest.availableAt ?? null,
    paymentId: rest.paymentId ?? null,
    payoutId: rest.payoutId ?? null,
    reason: rest.reason ?? null,
    at: new Date(platform.now()),
  };
}

/** Writes what a balance holds already into the journal, then takes its tag away; may be done by several at once. */
export async function finishOperation(
  scope: LedgerScope,
  balanceId: string,
  operation: TaggedOperation,
): Promise<LedgerTransactionRecord> {
  const transaction = await writeJournal(scope, operation);
  await scoped(LedgerBalanceModel, scope.installationId).findOneAndUpdate(
    { _id: balanceId },
    { $pull: { operations: { _id: operation._id } } },
  );
  return transaction;
}

/** Of two who write the same transaction one does, and both answer it. */
export async function writeJournal(
  scope: LedgerScope,
  operation: TaggedOperation,
): Promise<LedgerTransactionRecord> {
  try {
    return await scoped(LedgerTransactionModel, scope.installationId).insert(operation);
  } catch (error) {
    const earlier = isDuplicateKey(error) ? await findTransaction(scope, operation._id) : null;
    if (!earlier) throw error;
    return earlier;
  }
}

/** What transactions add to the accounts of a dealer. */
export function sumOf(
  transactions: readonly Pick<LedgerTransactionRecord, 'postings'>[],
  dealerId: string,
): DealerAmounts {
  return amountsOf(
    transactions.flatMap(({ postings }) => postings),
    dealerId,
  );
}
