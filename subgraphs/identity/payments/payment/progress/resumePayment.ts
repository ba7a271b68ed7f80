import { scoped } from '../../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { PaymentModel, type PaymentRecord } from '../record/model.ts';
import { carryOutOperations, review } from './carryOutOperations.ts';

const firstWaitMs = 15_000;
const longestWaitMs = 3600_000;

/**
 * Resumes an abandoned payment. A pending operation is repeated under its keys, and a payment that waits for the
 * provider is read there. Returns null if another process resumed it.
 */
export async function resumePayment(
  scope: MoneyContext,
  payment: PaymentRecord,
): Promise<PaymentRecord | null> {
  const waitMs = Math.min(firstWaitMs * 2 ** payment.checks, longestWaitMs);
  // A payment that the provider never created has nothing to be checked.
  const isOver = payment.operation === null && payment.providerRef === null;
  const checkAt = isOver ? null : new Date(scope.platform.now() + waitMs);
  const taken = await scoped(PaymentModel, scope.installation.id).findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    { $set: { checkAt }, $inc: { checks: 1, version: 1 } },
  );
  if (!taken) return null;
  const reviewed = taken.operation ? taken : await review(scope, taken);
  return (await carryOutOperations(scope, reviewed)).payment;
}

/** Returns whether the process that worked on a payment has not finished in time. */
export function isAbandoned({ checkAt }: PaymentRecord, now: number): boolean {
  return checkAt !== null && checkAt.getTime() <= now;
}
