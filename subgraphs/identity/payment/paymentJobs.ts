import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { leaseMs } from '../money/times.ts';
import { endPayment } from './endPayment.ts';
import { PaymentModel } from './model.ts';
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
      for (const payment of due) await takeUp({ platform: run.platform, installation }, payment);
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
      for (const payment of due) await endPayment({ platform: run.platform, installation }, payment);
      return due.length;
    }),
};
