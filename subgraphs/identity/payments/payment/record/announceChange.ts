import type { PaymentChanged } from '../../../../../schema/events.ts';
import { announce } from '../../../../platform/events/outbox.ts';
import type { MoneyContext } from '../../ledger/MoneyContext.ts';
import type { PaymentRecord } from './model.ts';
import type { PaymentState } from './states.ts';

/** States with an event of their own. */
const told: Partial<Record<PaymentState, PaymentChanged['type']>> = {
  authorized: 'payment.authorized',
  succeeded: 'payment.succeeded',
  failed: 'payment.failed',
  canceled: 'payment.canceled',
};

type Shown = Pick<PaymentRecord, 'state' | 'failure'>;

/** Returns the part of an update that publishes an event, if the state has changed or a card was declined. */
export function announceChange(
  scope: Pick<MoneyContext, 'platform'>,
  before: Shown,
  { state, failure }: Shown,
): { $push?: ReturnType<typeof announce> } {
  const isMoved = state !== before.state;
  if (!isMoved && (failure === null || failure.code === before.failure?.code)) return {};
  const type = (isMoved && told[state]) || 'payment.updated';
  return { $push: announce(scope, type, { data: { state } }) };
}
