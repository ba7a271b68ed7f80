import { scoped } from '../../../platform/installation/scoped.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import type { ProviderEvent, ProviderName } from '../payment-provider/PaymentProvider.ts';
import { PaymentEventModel } from './model.ts';

/** Name of the job that works on events. */
export const paymentEventsName = 'identity.payment-events';

/** Keeps an event for the job; one that came before changes nothing. */
export async function storeEvent(
  { platform, installation }: MoneyContext,
  provider: ProviderName,
  { id, type, object }: ProviderEvent,
): Promise<void> {
  const now = new Date(platform.now());
  const _id = `${installation.id}:${provider}:${id}`;
  // What is about nothing that is kept here is remembered as done.
  const dueAt = object ? now : null;
  await scoped(PaymentEventModel, installation.id).insertAbsent([
    { _id, provider, type, object, dueAt, attempts: 0, receivedAt: now },
  ]);
  platform.signals.send(paymentEventsName);
}
