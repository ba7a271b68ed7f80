import { type Posting, readAccount } from './accounts.ts';

/**
 * Asserts that a transaction is valid: at least two postings in one currency that sum to zero. It may involve accounts
 * of the platform and of at most one dealer. A violation is a bug, so it throws an Error that clients do not see.
 */
export function assertBalanced(
  postings: readonly Posting[],
  { dealerId, currency }: { dealerId: string | null; currency: string },
): void {
  const fault = findFault(postings, dealerId, currency);
  if (fault) throw new Error(`The ledger transaction is invalid: ${fault}.`);
}

function findFault(postings: readonly Posting[], dealerId: string | null, currency: string): string | null {
  if (postings.length < 2) return 'it has fewer than two lines';
  let sum = 0n;
  for (const posting of postings) {
    if (!Number.isSafeInteger(posting.amount)) return `${posting.amount} is no amount`;
    if (posting.currency !== currency) return `${posting.currency} is not ${currency}`;
    const account = readAccount(posting.account);
    if (!account) return `"${posting.account}" is no account`;
    if (account.holder === 'dealer' && account.dealerId !== dealerId) return 'it touches another dealer';
    sum += BigInt(posting.amount);
  }
  return sum === 0n ? null : `its lines sum to ${sum}`;
}
