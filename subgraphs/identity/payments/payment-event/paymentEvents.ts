import { scoped } from '../../../platform/installation/scoped.ts';
import { dueJob } from '../../../platform/jobs/dueJob.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { eventHandlers } from './eventHandlers.ts';
import { PaymentEventModel, type PaymentEventRecord } from './model.ts';
import { paymentEventsName } from './storeEvent.ts';

const firstWaitMs = 10_000;
const longestWaitMs = 3600_000;
/**
 * Attempts over about five hours. After that, the event stays in the log, and the payment's own job still checks the
 * payment.
 */
const mostAttempts = 12;

/** Processes the events of providers. An event that fails is tried again later, and does not delay the others. */
export const paymentEvents = dueJob({
  name: paymentEventsName,
  everyMs: 30_000,
  model: PaymentEventModel,
  due: 'dueAt',
  retryMs: firstWaitMs,
  work,
});

async function work(scope: MoneyContext, event: PaymentEventRecord): Promise<void> {
  const { platform, installation } = scope;
  const { _id, object, attempts } = event;
  const handle = object && eventHandlers[object.kind];
  let dueAt: Date | null = null;
  try {
    if (handle) await handle({ scope, provider: providerOf(platform, installation, event.provider), object });
  } catch (error) {
    // Accounts are read only because of events. Jobs read everything else again.
    const isHopeless =
      error instanceof ProviderFailure && error.kind === 'missing' && object?.kind !== 'account';
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
