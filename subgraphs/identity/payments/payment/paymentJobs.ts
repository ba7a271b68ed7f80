import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { endPayment } from './endPayment.ts';
import { PaymentModel } from './model.ts';
import { resumePayment } from './resumePayment.ts';

/** Signal that starts it. */
export const paymentChecksName = 'identity.payment-checks';

/** Continues what a process that ended, or a provider that did not answer, left open. */
export const paymentChecks = dueJob({
  name: paymentChecksName,
  everyMs: 15_000,
  model: PaymentModel,
  due: 'checkAt',
  retryMs: 15_000,
  work: resumePayment,
});

/** Cancels payments that were authorized and not captured in time, or not paid within a day. */
export const paymentEnds = dueJob({
  name: 'identity.payment-ends',
  everyMs: 60_000,
  model: PaymentModel,
  due: 'endsAt',
  retryMs: 10 * 60_000,
  work: endPayment,
});
