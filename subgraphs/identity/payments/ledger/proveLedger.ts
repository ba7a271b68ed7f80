import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { amountsOf, dealerAccount, dealerAccounts, type Posting, readAccount } from './accounts.ts';
import {
  LedgerBalanceModel,
  type LedgerMismatch,
  type LedgerProofRecord,
  LedgerTransactionModel,
} from './model.ts';
import { balanceId } from './postTransaction.ts';

/** Number of balances that are compared together. */
const batchSize = 200;

/** Result of a proof. */
export type Proof = Pick<LedgerProofRecord, 'accounts' | 'house' | 'mismatches'>;

/**
 * Compares every balance with the sum of its journal, and the sum of the journal with zero. First it compares all sums,
 * although balances may change concurrently. Then it compares each account that differed with its journal in one
 * snapshot.
 *
 * @param assertHeld called between batches; throws if the lease is lost
 */
export async function proveLedger(
  installationId: string,
  assertHeld: () => Promise<void> = async () => undefined,
): Promise<Proof> {
  const sums = await sumJournal(installationId);
  const balances = scoped(LedgerBalanceModel, installationId);
  const suspects = new Map<string, { dealerId: string; currency: string }>();
  const unseen = new Map(sums.dealers);
  let accounts = sums.house.length;
  let last = '';
  for (;;) {
    await assertHeld();
    const batch = await balances.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: batchSize });
    for (const { _id, dealerId, currency, accounts: held } of batch) {
      accounts += dealerAccounts.length;
      last = _id;
      for (const name of dealerAccounts) {
        const key = keyOf({ account: dealerAccount(dealerId, name), currency });
        if (held[name] !== (sums.dealers.get(key) ?? 0)) suspects.set(_id, { dealerId, currency });
        unseen.delete(key);
      }
    }
    if (batch.length < batchSize) break;
  }
  for (const key of unseen.keys()) {
    const { dealerId, currency } = readKey(key);
    suspects.set(balanceId(installationId, dealerId, currency), { dealerId, currency });
  }
  const mismatches = findImbalance(sums);
  for (const [_id, suspect] of suspects) {
    await assertHeld();
    mismatches.push(...(await compareAlone(installationId, _id, suspect)));
  }
  return { accounts, house: sums.house, mismatches };
}

interface Sums {
  house: Posting[];
  /** Sums by account and currency. */
  dealers: Map<string, number>;
}

async function sumJournal(installationId: string): Promise<Sums> {
  const rows = await scoped(LedgerTransactionModel, installationId).aggregate<{
    _id: { account: string; currency: string };
    amount: number;
  }>({}, [
    { $unwind: '$postings' },
    {
      $group: {
        _id: { account: '$postings.account', currency: '$postings.currency' },
        amount: { $sum: '$postings.amount' },
      },
    },
    { $sort: { _id: 1 } },
  ]);
  const sums: Sums = { house: [], dealers: new Map() };
  for (const { _id, amount } of rows) {
    if (readAccount(_id.account)?.holder === 'dealer') sums.dealers.set(keyOf(_id), amount);
    else sums.house.push({ ..._id, amount });
  }
  return sums;
}

/** Returns a mismatch of the whole journal, which sums to zero in each currency. */
function findImbalance({ house, dealers }: Sums): LedgerMismatch[] {
  const totals = new Map<string, number>();
  const add = (currency: string, amount: number): void => {
    totals.set(currency, (totals.get(currency) ?? 0) + amount);
  };
  for (const { currency, amount } of house) add(currency, amount);
  for (const [key, amount] of dealers) add(readKey(key).currency, amount);
  return [...totals]
    .filter(([, total]) => total !== 0)
    .map(([currency, total]) => ({ account: 'all', currency, balance: 0, journal: total }));
}

/** Compares one account in a transaction, which reads the balance and its journal from one snapshot. */
function compareAlone(
  installationId: string,
  _id: string,
  { dealerId, currency }: { dealerId: string; currency: string },
): Promise<LedgerMismatch[]> {
  return inTransaction(async (session) => {
    const held = await scoped(LedgerBalanceModel, installationId).findOne({ _id }, { session });
    const written = await scoped(LedgerTransactionModel, installationId).find(
      { dealerId, currency },
      { sort: { at: -1, _id: -1 }, session },
    );
    const sums = amountsOf(
      written.flatMap(({ postings }) => postings),
      dealerId,
    );
    return dealerAccounts.flatMap((name) => {
      const [balance, journal] = [held?.accounts[name] ?? 0, sums[name]];
      return balance === journal
        ? []
        : [{ account: dealerAccount(dealerId, name), currency, balance, journal }];
    });
  });
}

const keyOf = ({ account, currency }: { account: string; currency: string }): string =>
  `${account} ${currency}`;

function readKey(key: string): { dealerId: string; currency: string } {
  const [account = '', currency = ''] = key.split(' ');
  const read = readAccount(account);
  return { dealerId: read?.holder === 'dealer' ? read.dealerId : '', currency };
}
