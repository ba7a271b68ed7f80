import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { leaseMs } from '../money/times.ts';
import { endPayment } from './endPayment.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';
import type { PaymentScope } from './PaymentScope.ts';
import { takeUp } from './takeUp.ts';

const batchSize = 50;

/** Name by which it is woken. */
export const paymentChecksName = 'identity.payment-checks';

/** Goes on with what a process that ended, or a provider that did not answer, left open. */
export const paymentChecks: Job = {
  name: paymentChecksName,
  everyMs: 15_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const due = await scoped(PaymentModel, installation.id).find(
        { checkAt: { $lte: new Date(run.platform.now()), $type: 'date' } },
        { sort: { checkAt: 1, _id: 1 }, limit: batchSize },
      );
      const scope = { platform: run.platform, installation };
      for (const payment of due) await attempt(scope, payment, takeUp);
      return due.length;
    }),
};

/** Ends what was authorized and not captured in time, and what nobody paid within a day. */
export const paymentEnds: Job = {
  name: 'identity.payment-ends',
  everyMs: 60_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const due = await scoped(PaymentModel, installation.id).find(
        { endsAt: { $lte: new Date(run.platform.now()), $type: 'date' } },
        { sort: { endsAt: 1, _id: 1 }, limit: batchSize },
      );
      const scope = { platform: run.platform, installation };
      for (const payment of due) await attempt(scope, payment, endPayment);
      return due.length;
    }),
};

/** One that cannot be worked on does not keep the others waiting: both jobs have said before when it is due again. */
async function attempt(
  scope: PaymentScope,
  payment: PaymentRecord,
  work: (scope: PaymentScope, payment: PaymentRecord) => Promise<unknown>,
): Promise<void> {
  try {
    await work(scope, payment);
  } catch (error) {
    scope.platform.log.error({ err: error, paymentId: payment._id }, 'payment not worked on');
  }
}
