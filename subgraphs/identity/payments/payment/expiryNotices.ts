import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { PaymentModel } from './record/model.ts';

/** Publishes of each authorized payment, once, that a day is left to capture it. */
export const expiryNotices: Job = {
  name: 'identity.payment-expiry-notices',
  everyMs: 10 * 60_000,
  async run({ platform, assertHeld }) {
    for (const { id } of platform.installations.all) {
      await assertHeld();
      const now = platform.now();
      // The version is not changed, so a concurrent change of the payment need not be retried.
      await scoped(PaymentModel, id).updateMany(
        {
          endsAt: { $gt: new Date(now), $lte: new Date(now + dayMs), $type: 'date' },
          state: 'authorized',
          expiryToldAt: null,
        },
        {
          $set: { expiryToldAt: new Date(now) },
          $push: announce({ platform }, 'payment.expiring', { data: { state: 'authorized' } }),
        },
      );
    }
  },
};
