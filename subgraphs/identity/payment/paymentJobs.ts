import { dueJob } from '../../platform/jobs/dueJob.ts';
import { leaseMs } from '../money/times.ts';
import { endPayment } from './endPayment.ts';
import { PaymentModel } from './model.ts';
import { takeUp } from './takeUp.ts';

/** Name by which it is woken. */
export const paymentChecksName = 'identity.payment-checks';

/** Continues what a process that ended, or a provider that did not answer, left open. */
export const paymentChecks = dueJob({
  name: paymentChecksName,
  everyMs: 15_000,
  leaseMs,
  model: PaymentModel,
  due: 'checkAt',
  retryMs: 15_000,
  work: takeUp,
});

/** Cancels payments that were authorized and not captured in time, or not paid within a day. */
export const paymentEnds = dueJob({
  name: 'identity.payment-ends',
  everyMs: 60_000,
  leaseMs,
  model: PaymentModel,
  due: 'endsAt',
  retryMs: 10 * 60_000,
  work: endPayment,
});
