import type { FeedEntry } from '../../../platform/events/model.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toFeed, toParties } from '../../kernel/announcement/parties.ts';
import type { DisputeRecord } from './record/model.ts';

/** Returns disputes for publication to both sides, without their texts. */
export async function describeDisputes(disputes: readonly DisputeRecord[]): Promise<EventSubject[]> {
  return disputes.map((dispute) => {
    const { _id, version, payerId, dealerId } = dispute;
    const parties = [payerId, ...toParties({ type: 'dealer', id: dealerId }, 'managers')];
    return {
      object: { type: 'dispute' as const, id: _id },
      contentVersion: version,
      content: null,
      feedOf: ({ data = {} }) => toFeed(parties, { ...factsOf(dispute), ...(data as FeedEntry['data']) }),
    };
  });
}

function factsOf({ paymentId, dealerId, amount, currency, respondBy }: DisputeRecord) {
  return { paymentId, dealerId, amount: { amount, currency }, respondBy: respondBy.toISOString() };
}
