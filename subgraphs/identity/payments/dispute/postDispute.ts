import type { ClientSession } from 'mongoose';
import { hourMs } from '../../../platform/time/durations.ts';
import { amountsOf, dealerAccount } from '../ledger/accounts.ts';
import type { LedgerContext } from '../ledger/MoneyContext.ts';
import { amountsOfPayment, findTransaction, postTransaction } from '../ledger/postTransaction.ts';
import type { DisputeRecord } from './record/model.ts';

/**
 * Margin before the release time of pending earnings. Later money must not return to pending, where no job would
 * release it.
 */
const marginMs = hourMs;

/**
 * Holds the disputed amount: first from the remaining earnings of the payment, then from the available balance, which
 * may become negative.
 */
export async function postHold(
  scope: LedgerContext,
  { _id, dealerId, currency, amount, paymentId }: DisputeRecord,
  session: ClientSession,
): Promise<void> {
  const { pending } = await amountsOfPayment(scope, { paymentId, dealerId }, session);
  const fromPending = Math.min(Math.max(pending, 0), amount);
  const postings = [
    { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
    { account: dealerAccount(dealerId, 'available'), currency, amount: fromPending - amount },
    { account: dealerAccount(dealerId, 'held'), currency, amount },
  ];
  const common = { dealerId, currency, paymentId, mayOverdraw: true };
  const source = { type: 'dispute', id: _id } as const;
  await postTransaction(scope, { ...common, kind: 'dispute_hold', source, postings }, session);
}

/** Releases the whole amount to the dealer, from which the refund to the payer is then taken. */
export async function postRelease(
  scope: LedgerContext,
  dispute: DisputeRecord,
  session: ClientSession,
): Promise<void> {
  const { _id, dealerId, currency, amount, paymentId, outcome, availableAt } = dispute;
  const released = amount - (outcome?.refunded ?? 0);
  if (released === 0) return;
  const isPending = availableAt !== null && availableAt.getTime() - marginMs > scope.platform.now();
  const toAvailable = isPending
    ? Math.min(released, await takenFromAvailable(scope, dispute, session))
    : released;
  const postings = [
    { account: dealerAccount(dealerId, 'held'), currency, amount: -released },
    { account: dealerAccount(dealerId, 'available'), currency, amount: toAvailable },
    { account: dealerAccount(dealerId, 'pending'), currency, amount: released - toAvailable },
  ];
  const source = { type: 'dispute', id: _id } as const;
  await postTransaction(
    scope,
    { kind: 'dispute_release', source, dealerId, currency, paymentId, postings },
    session,
  );
}

async function takenFromAvailable(
  scope: LedgerContext,
  { _id, dealerId }: DisputeRecord,
  session: ClientSession,
): Promise<number> {
  const source = { type: 'dispute', id: _id } as const;
  const hold = await findTransaction(scope, { kind: 'dispute_hold', source }, session);
  return hold ? -amountsOf(hold.postings, dealerId).available : 0;
}
