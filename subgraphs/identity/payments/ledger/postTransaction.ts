import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { repeatableId } from '../../../platform/ids/newId.ts';
import { repeatOnDuplicate } from '../../../platform/installation/repeatOnDuplicate.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { amountsOf, type DealerAmounts, dealerAccounts, type Posting } from './accounts.ts';
import { assertBalanced } from './assertBalanced.ts';
import type { LedgerContext } from './MoneyContext.ts';
import { LedgerBalanceModel, LedgerTransactionModel, type LedgerTransactionRecord } from './model.ts';

/** A transaction to be written. */
export interface NewTransaction
  extends Pick<LedgerTransactionRecord, 'kind' | 'source' | 'dealerId' | 'currency'>,
    Partial<Pick<LedgerTransactionRecord, 'availableAt' | 'paymentId' | 'payoutId' | 'reason'>> {
  /**
   * Postings in one currency that sum to zero, of accounts of the platform and of the one dealer; postings of 0 are
   * omitted.
   */
  postings: readonly Posting[];
  /** Whether an account of the dealer may fall below zero by it; otherwise it is refused. */
  mayOverdraw?: boolean;
}

/** The one transaction with a source and kind. */
interface PostedTransaction {
  transaction: LedgerTransactionRecord;
  /** False if an earlier call has written it. */
  isNew: boolean;
}

/** Returns the id of the only transaction with this source and kind. */
export function transactionId(
  installationId: string,
  { kind, source }: Pick<NewTransaction, 'kind' | 'source'>,
): string {
  return repeatableId('ledgerTransaction', installationId, source.type, source.id, kind);
}

/** Returns the transaction with this source and kind; null if there is none. */
export function findTransaction(
  { installationId }: LedgerContext,
  posted: Pick<NewTransaction, 'kind' | 'source'>,
  session: ClientSession,
): Promise<LedgerTransactionRecord | null> {
  const _id = transactionId(installationId, posted);
  return scoped(LedgerTransactionModel, installationId).findOne({ _id }, { session });
}

/**
 * Writes a transaction of the ledger and the balance of its dealer, in the database transaction of the change that
 * causes it. A source and kind are posted once: every later call returns what the first one wrote.
 *
 * @throws AppError `insufficient_balance`, unless it may overdraw
 */
export async function postTransaction(
  scope: LedgerContext,
  wanted: NewTransaction,
  session: ClientSession,
): Promise<PostedTransaction> {
  const earlier = await findTransaction(scope, wanted, session);
  if (earlier) return { transaction: earlier, isNew: false };
  const { installationId, platform } = scope;
  const { kind, source, dealerId, currency, mayOverdraw = false } = wanted;
  const postings = wanted.postings.filter(({ amount }) => amount !== 0);
  assertBalanced(postings, { dealerId, currency });
  // A concurrent transaction may have opened the balance or posted the same transaction.
  return repeatOnDuplicate(async () => {
    if (dealerId !== null) {
      const added = amountsOf(postings, dealerId);
      assertCovered(await addToBalance(scope, { dealerId, currency }, added, session), added, mayOverdraw);
    }
    const transaction = await scoped(LedgerTransactionModel, installationId).insert(
      {
        _id: transactionId(installationId, wanted),
        kind,
        source,
        dealerId,
        currency,
        postings,
        availableAt: wanted.availableAt ?? null,
        paymentId: wanted.paymentId ?? null,
        payoutId: wanted.payoutId ?? null,
        reason: wanted.reason ?? null,
        at: new Date(platform.now()),
      },
      { session },
    );
    return { transaction, isNew: true };
  });
}

/** Adds to the accounts and returns them. The first addition opens the balance. */
async function addToBalance(
  { installationId }: LedgerContext,
  { dealerId, currency }: { dealerId: string; currency: string },
  added: DealerAmounts,
  session: ClientSession,
): Promise<DealerAmounts> {
  const changed = await scoped(LedgerBalanceModel, installationId).findOneAndUpdate(
    { _id: balanceId(installationId, dealerId, currency), dealerId, currency },
    { $inc: Object.fromEntries(dealerAccounts.map((name) => [`accounts.${name}`, added[name]])) },
    { session, upsert: true },
  );
  if (!changed) throw new Error('An upsert answered no balance.');
  return changed.accounts;
}

/**
 * Checks that a withdrawal does not make an account negative. The error aborts the database transaction. Pending
 * earnings are excepted: each payment has its own, which may be negative, and callers withdraw only those of the payment.
 */
function assertCovered(after: DealerAmounts, added: DealerAmounts, mayOverdraw: boolean): void {
  for (const name of dealerAccounts) {
    if (!Number.isSafeInteger(after[name]))
      throw new AppError('validation_failed', 'The amount is too large for the balance.');
    const isLimited = name !== 'pending' && !mayOverdraw;
    if (isLimited && added[name] < 0 && after[name] < 0) throw insufficientBalance();
  }
}

/** Returns the 409 for an amount that the balance does not cover. */
export function insufficientBalance(): AppError {
  return new AppError('insufficient_balance', 'The dealer’s balance does not cover this amount.');
}

/** Returns the sums of a payment's transactions in each account of its dealer. */
export async function amountsOfPayment(
  { installationId }: LedgerContext,
  { paymentId, dealerId }: { paymentId: string; dealerId: string },
  session: ClientSession,
): Promise<DealerAmounts> {
  const written = await scoped(LedgerTransactionModel, installationId).find(
    { paymentId, dealerId },
    { sort: { at: -1, _id: -1 }, session },
  );
  return amountsOf(
    written.flatMap(({ postings }) => postings),
    dealerId,
  );
}

/** Returns the commission that is left after the transactions of a payment. */
export async function commissionOfPayment(
  { installationId }: LedgerContext,
  { paymentId, dealerId }: { paymentId: string; dealerId: string },
  session: ClientSession,
): Promise<{ feeAmount: number; feeTaxAmount: number }> {
  const written = await scoped(LedgerTransactionModel, installationId).find(
    { paymentId, dealerId },
    { sort: { at: -1, _id: -1 }, session },
  );
  const on = (wanted: string) =>
    written
      .flatMap(({ postings }) => postings)
      .reduce((sum, { account, amount }) => sum + (account === wanted ? amount : 0), 0);
  return { feeAmount: on('fees'), feeTaxAmount: on('fee_tax') };
}

/** Returns the id of the balance of a dealer in a currency. */
export function balanceId(installationId: string, dealerId: string, currency: string): string {
  return `${installationId}:${dealerId}:${currency}`;
}
