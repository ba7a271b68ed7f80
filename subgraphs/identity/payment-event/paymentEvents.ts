import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { leaseMs } from '../money/times.ts';
import type { PaymentScope } from '../payment/PaymentScope.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { eventHandlers } from './eventHandlers.ts';
import { PaymentEventModel, type PaymentEventRecord } from './model.ts';
import { paymentEventsName } from './storeEvent.ts';

const batchSize = 50;
const firstWaitMs = 10_000;
const longestWaitMs = 3600_000;
/** Over about five hours; then it stays in the log, and the payment is still looked at by its own job. */
const mostAttempts = 12;

/** Works on what providers told. An event that fails is tried again later, and does not hold up the others. */
export const paymentEvents: Job = {
  name: paymentEventsName,
  everyMs: 30_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async (installation) => {
      const scope = { platform: run.platform, installation };
      const due = await scoped(PaymentEventModel, installation.id).find(
        { dueAt: { $lte: new Date(run.platform.now()), $type: 'date' } },
        { sort: { dueAt: 1, _id: 1 }, limit: batchSize },
      );
      for (const event of due) await work(scope, event);
      return due.length;
    }),
};

async function work(scope: PaymentScope, event: PaymentEventRecord): Promise<void> {
  const { platform, installation } = scope;
  const { _id, object, attempts } = event;
  const handle = object && eventHandlers[object.kind];
  let dueAt: Date | null = null;
  try {
    if (handle) await handle({ scope, provider: providerOf(platform, installation, event.provider), object });
  } catch (error) {
    const isHopeless = error instanceof ProviderFailure && error.kind === 'missing';
    const isLast = attempts + 1 >= mostAttempts;
    platform.log.warn(
      { err: error, paymentEventId: _id, attempts },
      isLast ? 'payment event given up' : 'payment event failed',
    );
    const waitMs = Math.min(firstWaitMs * 2 ** attempts, longestWaitMs);
    if (!isHopeless && !isLast) dueAt = new Date(platform.now() + waitMs);
  }
  await scoped(PaymentEventModel, installation.id).findOneAndUpdate(
    { _id, dueAt: event.dueAt },
    { $set: { dueAt }, $inc: { attempts: 1 } },
  );
}
