import { type DealerAccount, dealerAccount } from '../ledger/accounts.ts';
import type { NewTransaction } from '../ledger/postTransaction.ts';
import type { PayoutRecord } from './model.ts';

/** Account of the payout's dealer, or of the house for money at the provider. */
type Account = DealerAccount | 'psp_clearing' | 'psp_connected';
/** `place` is where the provider holds the money: the dealer's account there, if it was transferred. */
type Move = readonly [from: Account | 'place', to: Account | 'place'];

/** Postings of each transaction of a payout. An account of the platform is negative by what it holds. */
const moves = {
  payout: ['available', 'in_payout'],
  payout_transfer: ['psp_connected', 'psp_clearing'],
  payout_reversal: ['psp_clearing', 'psp_connected'],
  payout_paid: ['in_payout', 'place'],
  payout_return: ['place', 'in_payout'],
  payout_failure: ['in_payout', 'available'],
} satisfies Record<string, Move>;

/** Kind of a transaction of a payout. */
export type PayoutMove = keyof typeof moves;

/** Moves that can occur once in each attempt; all others occur once in a payout. */
const isOfAttempt: ReadonlySet<PayoutMove> = new Set(['payout_paid', 'payout_return']);

/** Returns the ledger transaction that moves the amount of a payout. */
export function payoutTransaction(
  { _id, dealerId, amount: { amount, currency }, attempt, transfer }: PayoutRecord,
  kind: PayoutMove,
): NewTransaction {
  const place = transfer ? 'psp_connected' : 'psp_clearing';
  const [from, to] = moves[kind].map((name) => (name === 'place' ? place : name)) as [Account, Account];
  const toAccount = (name: Account) => (isOfHouse(name) ? name : dealerAccount(dealerId, name));
  return {
    kind,
    source: { type: 'payout', id: isOfAttempt.has(kind) && attempt > 1 ? `${_id}:${attempt}` : _id },
    // A transfer between two platform accounts does not change the dealer's balance.
    dealerId: isOfHouse(from) && isOfHouse(to) ? null : dealerId,
    currency,
    payoutId: _id,
    postings: [
      { account: toAccount(from), currency, amount: -amount },
      { account: toAccount(to), currency, amount },
    ],
  };
}

function isOfHouse(name: Account): name is 'psp_clearing' | 'psp_connected' {
  return name === 'psp_clearing' || name === 'psp_connected';
}
