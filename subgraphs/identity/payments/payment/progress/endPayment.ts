import { scoped } from '../../../../platform/installation/scoped.ts';
import { resumeAfterMs } from '../../../kernel/money/times.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import { PaymentModel, type PaymentRecord, type StoredOperation } from '../record/model.ts';
import type { PaymentState } from '../record/states.ts';
import { carryOutOperations, review } from './carryOutOperations.ts';
import { resumePayment } from './resumePayment.ts';

/** Starts an operation if the payment is unchanged and no other operation is pending; otherwise returns null. */
export function begin(
  { platform, installation }: MoneyContext,
  { _id, version }: Pick<PaymentRecord, '_id' | 'version'>,
  operation: StoredOperation,
  states: readonly PaymentState[],
): Promise<PaymentRecord | null> {
  const now = platform.now();
  return scoped(PaymentModel, installation.id).findOneAndUpdate(
    { _id, version, operation: null, state: { $in: [...states] } },
    {
      $set: { operation, checkAt: new Date(now + resumeAfterMs), checks: 0, updatedAt: new Date(now) },
      $inc: { version: 1 },
    },
  );
}

const endable: readonly PaymentState[] = ['requires_payment_method', 'requires_action', 'authorized'];

/** Cancels an expired payment. A pending operation is continued instead. */
export async function endPayment(scope: MoneyContext, payment: PaymentRecord): Promise<void> {
  if (payment.operation) return void (await resumePayment(scope, payment));
  // The payer may have acted shortly before, without an event. In this case, the payment is not canceled.
  const seen = await review(scope, payment);
  const begun = seen.operation ? seen : await begin(scope, seen, { kind: 'cancel', amount: null }, endable);
  if (begun) await carryOutOperations(scope, begun);
}
