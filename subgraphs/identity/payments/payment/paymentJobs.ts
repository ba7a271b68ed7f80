import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { endPayment } from './progress/endPayment.ts';
import { resumePayment } from './progress/resumePayment.ts';
import { PaymentModel } from './record/model.ts';

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
