import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { ProviderEvent, ProviderName } from '../payment-provider/PaymentProvider.ts';
import { PaymentEventModel } from './model.ts';

/** Name of the job that works on events. */
export const paymentEventsName = 'identity.payment-events';

/** Stores an event for the job. A repeated event has no effect. */
export async function storeEvent(
  { platform, installation }: MoneyContext,
  provider: ProviderName,
  { id, type, object }: ProviderEvent,
): Promise<void> {
  const now = new Date(platform.now());
  const _id = `${installation.id}:${provider}:${id}`;
  // An event about an object that is not stored here is stored as processed.
  const dueAt = object ? now : null;
  await scoped(PaymentEventModel, installation.id).insertAbsent([
    { _id, provider, type, object, dueAt, attempts: 0, receivedAt: now },
  ]);
  platform.signals.send(paymentEventsName);
}
