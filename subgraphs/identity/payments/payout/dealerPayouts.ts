import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerydealerPayoutsArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';

export async function dealerPayouts(
  { dealerId, state, first, after }: QuerydealerPayoutsArgs,
  context: RequestContext,
): Promise<Connection<PayoutRecord>> {
  if (!(await context.loader(dealerLoader).load(dealerId))) throw notFound('The dealer');
  return findPage({
    context,
    collection: scoped(PayoutModel, context.installationId),
    filter: { dealerId, ...(state ? { state: { $in: state } } : {}) },
    sort: [{ key: 'createdAt', direction: -1 }],
    first,
    after,
  });
}
