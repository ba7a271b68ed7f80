import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { drive, review } from './drive.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';

const firstWaitMs = 15_000;
const longestWaitMs = 3600_000;

/**
 * Goes on with a payment that somebody left: what is open is done again under its keys, and what waits for the provider is
 * asked for. Null if somebody else took it up.
 */
export async function takeUp(scope: MoneyContext, payment: PaymentRecord): Promise<PaymentRecord | null> {
  const waitMs = Math.min(firstWaitMs * 2 ** payment.checks, longestWaitMs);
  const taken = await scoped(PaymentModel, scope.installation.id).findOneAndUpdate(
    { _id: payment._id, version: payment.version },
    { $set: { checkAt: new Date(scope.platform.now() + waitMs) }, $inc: { checks: 1, version: 1 } },
  );
  if (!taken) return null;
  const reviewed = taken.operation ? taken : await review(scope, taken);
  return (await drive(scope, reviewed)).payment;
}

/** Whether nobody seems to be at it any more. */
export function isLeft({ checkAt }: PaymentRecord, now: number): boolean {
  return checkAt !== null && checkAt.getTime() <= now;
}
