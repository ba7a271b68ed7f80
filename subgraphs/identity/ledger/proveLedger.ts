import { scoped } from '../../platform/installation/scoped.ts';
import { dealerAccount, dealerAccounts, type Posting, readAccount } from './accounts.ts';
import { sumOf } from './journal.ts';
import {
  LedgerBalanceModel,
  type LedgerMismatch,
  type LedgerProofRecord,
  LedgerTransactionModel,
} from './model.ts';

/** Balances that are looked at together. */
const batchSize = 200;
/** A balance that moves while it is compared is compared again. */
const attempts = 5;

/** What a proof says. */
export type Proof = Pick<LedgerProofRecord, 'accounts' | 'house' | 'mismatches'>;

/**
 * Compares every balance with the sum of the journal, and the journal with zero. First all sums at once, against
 * balances that go on moving; then what differs, one by one, on a version of the balance that stood still meanwhile.
 *
 * @param assertHeld called between batches
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
    suspects.set(`${installationId}:${dealerId}:${currency}`, { dealerId, currency });
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
  /** By account and currency. */
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

/** The journal as a whole sums to zero in each currency. */
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

/** What a balance holds and the journal lacks yet is no difference. */
async function compareAlone(
  installationId: string,
  _id: string,
  { dealerId, currency }: { dealerId: string; currency: string },
): Promise<LedgerMismatch[]> {
  const balances = scoped(LedgerBalanceModel, installationId);
  let found: LedgerMismatch[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await balances.findOne({ _id });
    const written = await scoped(LedgerTransactionModel, installationId).find(
      { dealerId, currency },
      { sort: { at: -1, _id: -1 } },
    );
    const known = new Set(written.map((transaction) => transaction._id));
    const tagged = before?.operations.filter((operation) => !known.has(operation._id)) ?? [];
    const journal = sumOf([...written, ...tagged], dealerId);
    found = dealerAccounts.flatMap((name) => {
      const balance = before?.accounts[name] ?? 0;
      if (balance === journal[name]) return [];
      return [{ account: dealerAccount(dealerId, name), currency, balance, journal: journal[name] }];
    });
    const after = found.length > 0 ? await balances.findOne({ _id }, { projection: { version: 1 } }) : null;
    if (after?.version === before?.version) return found;
  }
  return found;
}

const keyOf = ({ account, currency }: { account: string; currency: string }): string =>
  `${account} ${currency}`;

function readKey(key: string): { dealerId: string; currency: string } {
  const [account = '', currency = ''] = key.split(' ');
  const read = readAccount(account);
  return { dealerId: read?.holder === 'dealer' ? read.dealerId : '', currency };
}
