import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerypayoutsToTransferArgs } from '../../identity.generated.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { LedgerBalanceModel } from '../ledger/model.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';

/**
 * Returns payouts that wait for a bank transfer by finance; the longest waiting first. Payouts of dealers that are
 * suspended or in debt are omitted, because they must not be transferred.
 */
export async function payoutsToTransfer(
  { first, after }: QuerypayoutsToTransferArgs,
  context: RequestContext,
): Promise<Connection<PayoutRecord>> {
  const suspended = await reads(DealerModel, context.installationId).find(
    { state: 'suspended' },
    { projection: { _id: 1 }, sort: { _id: 1 } },
  );
  const debts = await scoped(LedgerBalanceModel, context.installationId).find(
    { 'accounts.available': { $lt: 0 } },
    { projection: { dealerId: 1, currency: 1 }, sort: { _id: 1 } },
  );
  return findPage({
    context,
    collection: scoped(PayoutModel, context.installationId),
    filter: {
      awaitsTransferSince: { $type: 'date' },
      $nor: [
        { dealerId: { $in: suspended.map(({ _id }) => _id) } },
        ...debts.map(({ dealerId, currency }) => ({ dealerId, 'amount.currency': currency })),
      ],
    },
    sort: [{ key: 'awaitsTransferSince', direction: 1 }],
    first,
    after,
  });
}
