import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryfailedRefundsArgs } from '../../identity.generated.ts';
import { RefundModel, type RefundRecord } from './record/model.ts';

/** Returns refunds that are no longer retried; the longest waiting first. */
export function failedRefunds(
  { first, after }: QueryfailedRefundsArgs,
  context: RequestContext,
): Promise<Connection<RefundRecord>> {
  return findPage({
    context,
    collection: scoped(RefundModel, context.installationId),
    filter: { givenUpAt: { $type: 'date' } },
    sort: [{ key: 'givenUpAt', direction: 1 }],
    first,
    after,
  });
}
