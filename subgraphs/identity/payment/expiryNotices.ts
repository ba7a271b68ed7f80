import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { PaymentModel } from './model.ts';

const batchSize = 50;
const dayMs = 24 * 3600 * 1000;

/** Says of what is authorized, once, that a day is left to capture it. */
export const expiryNotices: Job = {
  name: 'identity.payment-expiry-notices',
  everyMs: 10 * 60_000,
  run: (run) =>
    drainEach(run, batchSize, async ({ id }) => {
      const { platform } = run;
      const payments = scoped(PaymentModel, id);
      const now = platform.now();
      const due = await payments.find(
        {
          endsAt: { $gt: new Date(now), $lte: new Date(now + dayMs), $type: 'date' },
          state: 'authorized',
          expiryToldAt: null,
        },
        { sort: { endsAt: 1, _id: 1 }, limit: batchSize },
      );
      // Nothing of the payment itself becomes different: whoever changes it at this moment need not begin again.
      for (const { _id } of due)
        await payments.findOneAndUpdate(
          { _id, state: 'authorized', expiryToldAt: null },
          {
            $set: { expiryToldAt: new Date(now) },
            $push: announce({ platform }, 'payment.expiring', { data: { state: 'authorized' } }),
          },
        );
      return due.length;
    }),
};
