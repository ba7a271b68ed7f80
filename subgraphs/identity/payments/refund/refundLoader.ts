import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';

/** Returns a loader of refunds by payment, in ascending order, batched per request. */
export function refundLoader({ installationId }: RequestContext): DataLoader<string, RefundRecord[]> {
  return new DataLoader(async (paymentIds) => {
    const found = await scoped(RefundModel, installationId).find(
      { paymentId: { $in: [...paymentIds] } },
      { sort: { createdAt: 1, _id: 1 } },
    );
    const byPayment = Map.groupBy(found, ({ paymentId }) => paymentId);
    return paymentIds.map((id) => byPayment.get(id) ?? []);
  });
}
