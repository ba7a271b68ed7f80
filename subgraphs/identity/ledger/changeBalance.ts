import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { amountsOf, type DealerAmounts, dealerAccounts, noAmounts, type Posting } from './accounts.ts';
import { inTurn } from './inTurn.ts';
import { findTransaction, finishOperation, sumOf, toOperation } from './journal.ts';
import type { LedgerScope } from './LedgerScope.ts';
import { LedgerBalanceModel, type LedgerBalanceRecord, LedgerTransactionModel } from './model.ts';
import type { NewTransaction, Posted, Standing } from './NewTransaction.ts';

/** Processes meet on a balance; those of one process take turns. */
const attempts = 40;
const restMs = 25;

type OfDealer = NewTransaction & { dealerId: string };

/** Id of the balance of a dealer in a currency. */
export function balanceId(installationId: string, dealerId: string, currency: string): string {
  return `${installationId}:${dealerId}:${currency}`;
}

/**
 * Writes a transaction of a dealer on the version of the balance that it was planned on. The balance is read before the
 * journal: whatever another one has written between the two has moved the version on.
 */
export function changeBalance(scope: LedgerScope, _id: string, wanted: OfDealer): Promise<Posted> {
  const key = balanceId(scope.installationId, wanted.dealerId, wanted.currency);
  return inTurn(key, async () => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const posted = await attemptChange(scope, _id, wanted);
      if (posted) return posted;
      await pause(Math.random() * restMs * Math.min(attempt, 8));
    }
    throw new AppError('concurrent_update', 'The balance is changing all the time; try again.', {
      retryAfter: 1,
    });
  });
}

/** Null when another one was faster. */
async function attemptChange(scope: LedgerScope, _id: string, wanted: OfDealer): Promise<Posted | null> {
  const balance = await openBalance(scope, wanted);
  const tagged = balance.operations.find((operation) => operation._id === _id);
  if (tagged) return { transaction: await finishOperation(scope, balance._id, tagged), created: false };
  const earlier = await findTransaction(scope, _id);
  if (earlier) return { transaction: earlier, created: false };
  const postings = await planPostings(scope, balance, wanted);
  if (postings.length === 0) return { transaction: null, created: false };
  const operation = toOperation(scope, _id, wanted, postings);
  const added = amountsOf(postings, wanted.dealerId);
  assertCovered(balance.accounts, added, wanted.mayOverdraw === true);
  const changed = await scoped(LedgerBalanceModel, scope.installationId).findOneAndUpdate(
    { _id: balance._id, version: balance.version },
    {
      $inc: {
        version: 1,
        ...Object.fromEntries(dealerAccounts.map((name) => [`accounts.${name}`, added[name]])),
      },
      $push: { operations: operation },
    },
  );
  if (!changed) return null;
  return { transaction: await finishOperation(scope, balance._id, operation), created: true };
}

async function planPostings(
  scope: LedgerScope,
  balance: LedgerBalanceRecord,
  { postings, dealerId }: OfDealer,
): Promise<readonly Posting[]> {
  if (typeof postings !== 'function') return postings;
  const standing: Standing = {
    accounts: balance.accounts,
    async ofPayment(paymentId) {
      const written = await scoped(LedgerTransactionModel, scope.installationId).find(
        { paymentId, dealerId },
        { sort: { at: -1, _id: -1 } },
      );
      const known = new Set(written.map(({ _id }) => _id));
      const tagged = balance.operations.filter(
        (operation) => operation.paymentId === paymentId && !known.has(operation._id),
      );
      return sumOf([...written, ...tagged], dealerId);
    },
  };
  const planned = await postings(standing);
  return planned.filter(({ amount }) => amount !== 0);
}

/** What is taken must be there. */
function assertCovered(before: DealerAmounts, added: DealerAmounts, mayOverdraw: boolean): void {
  for (const name of dealerAccounts) {
    const after = before[name] + added[name];
    if (!Number.isSafeInteger(after))
      throw new AppError('validation_failed', 'The balance cannot hold such an amount.');
    if (added[name] < 0 && after < 0 && !mayOverdraw) throw insufficientBalance();
  }
}

/** 409 for what the balance does not cover. */
export function insufficientBalance(): AppError {
  return new AppError('insufficient_balance', 'The dealer’s balance does not cover this amount.');
}

async function openBalance(
  { installationId }: LedgerScope,
  { dealerId, currency }: OfDealer,
): Promise<LedgerBalanceRecord> {
  const balances = scoped(LedgerBalanceModel, installationId);
  const _id = balanceId(installationId, dealerId, currency);
  const found = await balances.findOne({ _id });
  if (found) return found;
  try {
    return await balances.insert({
      _id,
      dealerId,
      currency,
      accounts: noAmounts(),
      version: 0,
      operations: [],
    });
  } catch (error) {
    const made = isDuplicateKey(error) ? await balances.findOne({ _id }) : null;
    if (!made) throw error;
    return made;
  }
}
