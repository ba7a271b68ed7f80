import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerypayoutsToTransferArgs } from '../../identity.generated.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';

/** Returns payouts that wait for a bank transfer by finance; the longest waiting first. */
export function payoutsToTransfer(
  { first, after }: QuerypayoutsToTransferArgs,
  context: RequestContext,
): Promise<Connection<PayoutRecord>> {
  return findPage({
    context,
    collection: scoped(PayoutModel, context.installationId),
    filter: { awaitsTransferSince: { $type: 'date' } },
    sort: [{ key: 'awaitsTransferSince', direction: 1 }],
    first,
    after,
  });
}
