import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerypayoutsToTransferArgs } from '../../identity.generated.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';

/**
 * Returns payouts that wait for a bank transfer by finance; the longest waiting first. Payouts of suspended dealers are
 * omitted, because they must not be transferred.
 */
export async function payoutsToTransfer(
  { first, after }: QuerypayoutsToTransferArgs,
  context: RequestContext,
): Promise<Connection<PayoutRecord>> {
  const suspended = await reads(DealerModel, context.installationId).find(
    { state: 'suspended' },
    { projection: { _id: 1 }, sort: { _id: 1 } },
  );
  return findPage({
    context,
    collection: scoped(PayoutModel, context.installationId),
    filter: {
      awaitsTransferSince: { $type: 'date' },
      dealerId: { $nin: suspended.map(({ _id }) => _id) },
    },
    sort: [{ key: 'awaitsTransferSince', direction: 1 }],
    first,
    after,
  });
}
