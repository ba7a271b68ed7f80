import { AppError } from '../../platform/errors/AppError.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type DealerAccount, dealerAccount } from '../ledger/accounts.ts';
import { findTransaction, transactionId } from '../ledger/journal.ts';
import type { LedgerScope } from '../ledger/LedgerScope.ts';
import type { LedgerKind } from '../ledger/model.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';

type Booked = Pick<PayoutRecord, '_id' | 'dealerId' | 'amount'>;
type Sent = Booked & Pick<PayoutRecord, 'attempt' | 'transfer'>;
/** Accounts of the house for money at the provider. */
type Place = 'psp_clearing' | 'psp_connected';

/**
 * Sets the amount aside. A payout that the balance does not cover is called off before anybody has seen it; of those who
 * fund one payout at once, all learn the same.
 *
 * @throws AppError `insufficient_balance`
 */
export async function fundPayout(scope: LedgerScope, payout: PayoutRecord): Promise<PayoutRecord> {
  const payouts = scoped(PayoutModel, scope.installationId);
  const at = new Date(scope.platform.now());
  const waiting = { _id: payout._id, state: 'pending' as const, isFunded: false };
  try {
    await move(scope, payout, 'payout', 'available', 'in_payout');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'insufficient_balance')) throw error;
    await payouts.findOneAndUpdate(waiting, {
      $set: { state: 'canceled', failureCode: error.code, dueAt: null, updatedAt: at },
    });
    await returnIfBooked(scope, payout);
    throw error;
  }
  const funded = await payouts.findOneAndUpdate(waiting, {
    $set: { isFunded: true, dueAt: new Date(at.getTime() + reflectionMs), updatedAt: at },
    $inc: { version: 1 },
    $push: announce(scope, 'payout.created', { data: { state: 'pending' } }),
  });
  if (funded) return funded;
  const known = await payouts.findOne({ _id: payout._id });
  if (known?.isFunded) return known;
  await returnIfBooked(scope, payout);
  throw new AppError('insufficient_balance', 'The dealer’s balance does not cover this amount.');
}

/** How long a payout can be held before it goes: five minutes. */
export const reflectionMs = 5 * 60_000;

/** The money is on the dealer's account at the provider. An account of the house is below zero by what it holds there. */
export function postTransfer(scope: LedgerScope, payout: Booked): Promise<void> {
  return move(scope, payout, 'payout_transfer', 'psp_connected', 'psp_clearing');
}

/** The money was taken back from there. */
export function postReversal(scope: LedgerScope, payout: Booked): Promise<void> {
  return move(scope, payout, 'payout_reversal', 'psp_clearing', 'psp_connected');
}

/** The money has left: it is at the dealer's bank. */
export function postPaid(scope: LedgerScope, payout: Sent): Promise<void> {
  return move(scope, sourceOf(payout), 'payout_paid', 'in_payout', placeOf(payout));
}

/** The bank has sent the money back: it is where it was before, and set aside. */
export function postSentBack(scope: LedgerScope, payout: Sent): Promise<void> {
  return move(scope, sourceOf(payout), 'payout_return', placeOf(payout), 'in_payout');
}

/** The money stays: it is available again. */
export function postReturned(scope: LedgerScope, payout: Booked): Promise<void> {
  return move(scope, payout, 'payout_failure', 'in_payout', 'available');
}

/** Somebody else may have set the amount aside while this one was being called off. */
async function returnIfBooked(scope: LedgerScope, payout: Booked): Promise<void> {
  const source = { type: 'payout', id: payout._id } as const;
  const _id = transactionId(scope.installationId, { kind: 'payout', source });
  if (!(await findTransaction(scope, _id))) return;
  const known = await scoped(PayoutModel, scope.installationId).findOne({ _id: payout._id });
  if (known?.state === 'canceled') await postReturned(scope, payout);
}

/** Where the provider has the money of a payout. */
function placeOf({ transfer }: Sent): Place {
  return transfer ? 'psp_connected' : 'psp_clearing';
}

/** Each attempt can arrive and come back once. */
function sourceOf({ _id, attempt, ...payout }: Sent): Booked & { sourceId: string } {
  return { ...payout, _id, sourceId: attempt === 1 ? _id : `${_id}:${attempt}` };
}

async function move(
  scope: LedgerScope,
  { _id, dealerId, amount: { amount, currency }, sourceId = _id }: Booked & { sourceId?: string },
  kind: LedgerKind,
  from: DealerAccount | Place,
  to: DealerAccount | Place,
): Promise<void> {
  const toAccount = (name: DealerAccount | Place) => (isPlace(name) ? name : dealerAccount(dealerId, name));
  await postTransaction(scope, {
    kind,
    source: { type: 'payout', id: sourceId },
    // Between two accounts of the house no balance of the dealer changes.
    dealerId: isPlace(from) && isPlace(to) ? null : dealerId,
    currency,
    payoutId: _id,
    postings: [
      { account: toAccount(from), currency, amount: -amount },
      { account: toAccount(to), currency, amount },
    ],
  });
}

function isPlace(name: DealerAccount | Place): name is Place {
  return name === 'psp_clearing' || name === 'psp_connected';
}
