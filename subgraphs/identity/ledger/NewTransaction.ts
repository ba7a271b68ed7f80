import type { DealerAmounts, Posting } from './accounts.ts';
import type { LedgerTransactionRecord } from './model.ts';

/** What a dealer has at the moment of a transaction, in its currency. */
export interface Standing {
  readonly accounts: DealerAmounts;
  /** What transactions about a payment have left in each account so far. */
  ofPayment(paymentId: string): Promise<DealerAmounts>;
}

/** A transaction to be written. */
export interface NewTransaction
  extends Pick<LedgerTransactionRecord, 'kind' | 'source' | 'dealerId' | 'currency'>,
    Partial<Pick<LedgerTransactionRecord, 'availableAt' | 'paymentId' | 'payoutId' | 'reason'>> {
  /**
   * Lines that sum to zero, in the one currency, of accounts of the house and of the one dealer; lines of 0 are left out.
   * A function gets what the dealer has and is called again when that has changed meanwhile; no lines: nothing is
   * written. It may throw, and then nothing has happened.
   */
  postings: readonly Posting[] | ((standing: Standing) => readonly Posting[] | Promise<readonly Posting[]>);
  /** Whether an account of the dealer may fall below zero by it; otherwise it is refused. */
  mayOverdraw?: boolean;
}

/** What became of it. */
export interface Posted {
  /** Null where there was nothing to write. */
  transaction: LedgerTransactionRecord | null;
  /** False if it was there already. */
  created: boolean;
}
