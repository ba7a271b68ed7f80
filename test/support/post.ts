import { inLedgerTransaction } from '../../subgraphs/identity/payments/ledger/inLedgerTransaction.ts';
import type { LedgerContext } from '../../subgraphs/identity/payments/ledger/MoneyContext.ts';
import type { LedgerTransactionRecord } from '../../subgraphs/identity/payments/ledger/model.ts';
import {
  type NewTransaction,
  postTransaction,
} from '../../subgraphs/identity/payments/ledger/postTransaction.ts';

/** Posts one transaction of the ledger in a separate database transaction, and returns it. */
export async function post(scope: LedgerContext, wanted: NewTransaction): Promise<LedgerTransactionRecord> {
  const posted = await inLedgerTransaction(wanted.dealerId, (session) =>
    postTransaction(scope, wanted, session),
  );
  return posted.transaction;
}
