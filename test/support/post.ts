import { inLedgerTransaction } from '../../subgraphs/identity/ledger/inLedgerTransaction.ts';
import type { LedgerTransactionRecord } from '../../subgraphs/identity/ledger/model.ts';
import { type NewTransaction, postTransaction } from '../../subgraphs/identity/ledger/postTransaction.ts';
import type { LedgerContext } from '../../subgraphs/identity/money/MoneyContext.ts';

/** Posts one transaction of the ledger by itself. */
export function post(scope: LedgerContext, wanted: NewTransaction): Promise<LedgerTransactionRecord> {
  return inLedgerTransaction(wanted.dealerId, (session) => postTransaction(scope, wanted, session));
}
