import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryadminDealersArgs } from '../../identity.generated.ts';
import { isCountry } from '../../kernel/place/isCountry.ts';
import { DealerModel, type DealerRecord } from './model.ts';
import { dealerLoader } from './policy.ts';

/** Returns the verification queue, and other lists of dealers for the staff. */
export async function adminDealers(
  { first, after, state, verificationState, country }: QueryadminDealersArgs,
  context: RequestContext,
): Promise<Connection<DealerRecord>> {
  if (country && !isCountry(country))
    throw new AppError('malformed_request', '"country" must be an ISO 3166-1 alpha-2 code, such as DE.');
  const filter: QueryFilter<DealerRecord> = {
    ...(state?.length ? { state: { $in: state } } : {}),
    ...(verificationState?.length ? { 'verification.state': { $in: verificationState } } : {}),
    ...(country ? { country } : {}),
  };
  const page = await findPage({
    context,
    collection: scoped(DealerModel, context.installationId),
    filter,
    sort: [{ key: 'queuedAt', direction: 1 }],
    first,
    after,
  });
  const loader = context.loader(dealerLoader);
  for (const dealer of page.nodes) loader.prime(dealer._id, dealer);
  return page;
}
