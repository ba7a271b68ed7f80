import type { PayoutChanged } from '../../../schema/events.ts';
import { announce } from '../../platform/events/outbox.ts';
import type { MoneyContext } from '../money/MoneyContext.ts';
import type { PayoutRecord } from './model.ts';
import type { PayoutState } from './states.ts';

/** What is told when a payout comes to a state. */
const told: Readonly<Record<PayoutState, PayoutChanged['type']>> = {
  pending: 'payout.released',
  on_hold: 'payout.held',
  in_transit: 'payout.sent',
  paid: 'payout.paid',
  failed: 'payout.failed',
  canceled: 'payout.canceled',
};

/** The part of an update that tells of it; nothing where the state stays. */
export function newsOf(
  scope: Pick<MoneyContext, 'platform'>,
  before: Pick<PayoutRecord, 'state'>,
  { state = before.state }: Partial<Pick<PayoutRecord, 'state'>>,
): { $push?: ReturnType<typeof announce> } {
  return state === before.state ? {} : { $push: announce(scope, told[state], { data: { state } }) };
}
