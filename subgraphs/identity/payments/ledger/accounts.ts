import { isId } from '../../../platform/ids/newId.ts';

/** Accounts of the platform, which docs/reference/ledger.md describes. */
export const houseAccounts = [
  'psp_clearing',
  'psp_connected',
  'bank',
  'unreturned',
  'fees',
  'fee_tax',
  'provider_fees',
  'losses',
] as const;

/** Accounts of each dealer in each of its currencies. */
export const dealerAccounts = ['pending', 'available', 'held', 'in_payout'] as const;

/** Account of the platform, as stored. */
export type HouseAccount = (typeof houseAccounts)[number];

/** Account of a dealer as it is stored. */
export type DealerAccount = (typeof dealerAccounts)[number];

/** Minor units by account of one dealer. */
export type DealerAmounts = Record<DealerAccount, number>;

/** One posting of a transaction in signed minor units; positive amounts are owed to the account's holder. */
export interface Posting {
  /** `psp_clearing`, or `dealer:dlr_…:available`. */
  account: string;
  /** ISO 4217. */
  currency: string;
  amount: number;
}

/** Parts of the name of an account. */
export type Account =
  | { holder: 'house'; name: HouseAccount }
  | { holder: 'dealer'; dealerId: string; name: DealerAccount };

/** Returns the name of a dealer's account. */
export function dealerAccount(dealerId: string, name: DealerAccount): string {
  return `dealer:${dealerId}:${name}`;
}

/** Parses the name of an account. Returns null if it is not one. */
export function readAccount(text: string): Account | null {
  const house = houseAccounts.find((name) => name === text);
  if (house) return { holder: 'house', name: house };
  const [prefix, dealerId = '', last, ...rest] = text.split(':');
  const name = dealerAccounts.find((one) => one === last);
  if (prefix !== 'dealer' || !name || rest.length > 0 || !isId('dealer', dealerId)) return null;
  return { holder: 'dealer', dealerId, name };
}

/** Returns zero amounts for all accounts. */
export function noAmounts(): DealerAmounts {
  return { pending: 0, available: 0, held: 0, in_payout: 0 };
}

/** Returns the amounts that postings add to the accounts of a dealer. */
export function amountsOf(postings: readonly Posting[], dealerId: string): DealerAmounts {
  const amounts = noAmounts();
  for (const { account, amount } of postings) {
    const read = readAccount(account);
    if (read?.holder === 'dealer' && read.dealerId === dealerId) amounts[read.name] += amount;
  }
  return amounts;
}
