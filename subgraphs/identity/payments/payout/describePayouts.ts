import type { FeedEntry } from '../../../platform/events/model.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toFeed, toParties } from '../../kernel/announcement/parties.ts';
import type { PayoutRecord } from './model.ts';

/** Returns payouts for publication to the managers and owners of the dealer. */
export async function describePayouts(payouts: readonly PayoutRecord[]): Promise<EventSubject[]> {
  return payouts.map(({ _id, version, dealerId, amount: { amount, currency }, kind }) => ({
    object: { type: 'payout' as const, id: _id },
    contentVersion: version,
    content: null,
    feedOf: ({ data = {} }) =>
      toFeed(toParties({ type: 'dealer', id: dealerId }, 'managers'), {
        dealerId,
        amount: { amount, currency },
        kind,
        ...(data as FeedEntry['data']),
      }),
  }));
}
