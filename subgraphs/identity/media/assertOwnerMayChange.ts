import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { assertMayChange } from '../kernel/dealer-standing/assertMayChange.ts';
import { mediaHooks } from './mediaHooks.ts';
import type { MediaRecord } from './model.ts';

/**
 * Checks that the owner may change its files. Members of a blocked or closed dealer can only read them.
 *
 * @throws AppError `dealer_not_active`
 */
export async function assertOwnerMayChange({ owner }: MediaRecord, context: RequestContext): Promise<void> {
  if (owner.type !== 'dealer') return;
  const dealer = await mediaHooks.bound.loadDealer(context, owner.id);
  if (dealer) assertMayChange(dealer);
}
