import { scoped } from '../../platform/installation/scoped.ts';
import { amountsOf, dealerAccount } from '../ledger/accounts.ts';
import { findTransaction, transactionId } from '../ledger/journal.ts';
import type { LedgerScope } from '../ledger/LedgerScope.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { DisputeModel, type DisputeRecord } from './model.ts';

/** What would become available in a moment must not go back to what is pending: nobody would look for it there. */
const marginMs = 3_600_000;

/** Keeps the amount back: what the payment has left, then what is available, and below zero if there is less. */
export async function holdDisputed(scope: LedgerScope, dispute: DisputeRecord): Promise<DisputeRecord> {
  const { _id, dealerId, currency, amount, paymentId } = dispute;
  await postTransaction(scope, {
    kind: 'dispute_hold',
    source: { type: 'dispute', id: _id },
    dealerId,
    currency,
    paymentId,
    mayOverdraw: true,
    async postings({ ofPayment }) {
      const { pending } = await ofPayment(paymentId);
      const fromPending = Math.min(Math.max(pending, 0), amount);
      return [
        { account: dealerAccount(dealerId, 'pending'), currency, amount: -fromPending },
        { account: dealerAccount(dealerId, 'available'), currency, amount: fromPending - amount },
        { account: dealerAccount(dealerId, 'held'), currency, amount },
      ];
    },
  });
  const held = await scoped(DisputeModel, scope.installationId).findOneAndUpdate(
    { _id, isHeld: false },
    { $set: { isHeld: true, dueAt: dispute.respondBy }, $inc: { version: 1 } },
  );
  return held ?? dispute;
}

/** What does not go to the payer is the dealer's again. What goes is taken from there by its refund. */
export async function releaseDisputed(scope: LedgerScope, dispute: DisputeRecord): Promise<void> {
  const { _id, dealerId, currency, amount, paymentId, outcome, availableAt } = dispute;
  const released = amount - (outcome?.refunded ?? 0);
  if (released > 0)
    await postTransaction(scope, {
      kind: 'dispute_release',
      source: { type: 'dispute', id: _id },
      dealerId,
      currency,
      paymentId,
      async postings() {
        const isPending = availableAt !== null && availableAt.getTime() - marginMs > scope.platform.now();
        const toAvailable = isPending
          ? Math.min(released, await takenFromAvailable(scope, dispute))
          : released;
        return [
          { account: dealerAccount(dealerId, 'held'), currency, amount: -released },
          { account: dealerAccount(dealerId, 'available'), currency, amount: toAvailable },
          { account: dealerAccount(dealerId, 'pending'), currency, amount: released - toAvailable },
        ];
      },
    });
  await scoped(DisputeModel, scope.installationId).findOneAndUpdate(
    { _id, outcome: { $ne: null } },
    { $set: { dueAt: null } },
  );
}

async function takenFromAvailable(scope: LedgerScope, { _id, dealerId }: DisputeRecord): Promise<number> {
  const source = { type: 'dispute', id: _id } as const;
  const hold = await findTransaction(
    scope,
    transactionId(scope.installationId, { kind: 'dispute_hold', source }),
  );
  return hold ? -amountsOf(hold.postings, dealerId).available : 0;
}
