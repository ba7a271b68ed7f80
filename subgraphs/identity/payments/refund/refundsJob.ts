import { scoped } from '../../../platform/installation/scoped.ts';
import { dueJob } from '../../../platform/jobs/dueJob.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { PaymentModel } from '../payment/record/model.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { takeSteps } from '../steps/takeSteps.ts';
import { RefundModel } from './record/model.ts';
import { refundSteps } from './refundSteps.ts';

/** Continues refunds that were cut short, that the provider has not decided, or that failed. */
export const refundsJob = dueJob({
  name: 'identity.refunds',
  everyMs: 15_000,
  model: RefundModel,
  due: 'dueAt',
  retryMs: 60_000,
  work: (scope, refund) => takeSteps(refundSteps, scope, refund),
});

/**
 * Handles the provider's event about a refund: the job reads the refund again. A concurrent step is restarted.
 *
 * @param ref id at the provider
 */
export async function refreshRefund(
  scope: MoneyContext,
  provider: PaymentProvider,
  ref: string,
): Promise<void> {
  const refunds = scoped(RefundModel, scope.installationId);
  const changed = await refunds.findOneAndUpdate(
    { ref, state: { $in: ['pending', 'succeeded'] } },
    { $set: { dueAt: new Date(scope.platform.now()) }, $inc: { version: 1 } },
  );
  if (changed) scope.platform.signals.send(refundsJob.name);
  else if ((await refunds.count({ ref }, { limit: 1 })) === 0) await reportForeign(scope, provider, ref);
}

/**
 * Logs a refund of one of the installation's payments that the product did not request, for example from the provider's
 * dashboard. No account contains it until the operator records a ledger adjustment.
 */
async function reportForeign(
  { installationId, platform }: MoneyContext,
  provider: PaymentProvider,
  ref: string,
): Promise<void> {
  const { refundId, paymentRef, amount, currency } = await provider.readRefund(ref);
  if (refundId !== null || paymentRef === null) return;
  const own = { provider: provider.name, providerRef: { $eq: paymentRef, $type: 'string' } } as const;
  const payment = await scoped(PaymentModel, installationId).findOne(own);
  if (!payment) return;
  const subject = { paymentId: payment._id, providerRef: ref, amount, currency };
  platform.log.error(subject, 'refund made at the provider itself not booked: record a ledger adjustment');
}
