import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { CreateDealerInput } from '../../identity.generated.ts';
import { toSlug } from '../../kernel/slug/toSlug.ts';
import { ensureSellerLock, lockSeller } from '../seller-standing/sellerStanding.ts';
import { DealerModel, type DealerRecord } from './model.ts';
import { checkProfile } from './profile/checkProfile.ts';
import { applyProfile, type DealerProfile } from './profile/profile.ts';
import { storeDealer } from './storeDealer.ts';

/** Maximum number of dealers that one user may own. */
const mostOwned = 5;

export async function createDealer(
  input: CreateDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  if (!context.viewer.principal.emailVerified)
    throw new AppError('email_unverified', 'Your email address is not confirmed. Confirm it first.');
  const created = await once(context, 'createDealer', input, async (attempt) => ({
    dealer: await found(input, context, attempt.newId('dealer')),
  }));
  // The founder is now a member, which also affects this response.
  context.platform.forgetPrincipal({ userId: context.viewer.id });
  await context.identify(true);
  return created;
}

async function found(input: CreateDealerInput, context: RequestContext, _id: string): Promise<DealerRecord> {
  const { viewer, installation } = context;
  const profile = toProfile(input, installation.defaultCurrency);
  const named = new Set(input.locations?.map(({ id }) => id));
  const known = profile.locations.map(({ id }) => id).filter((id) => !named.has(id));
  const problems = checkProfile(profile, new Set(known));
  if (problems.length > 0) throw invalidFields(problems);
  const { schedule: _, ...given } = profile;
  await ensureSellerLock(context, viewer.id);
  return inTransaction(async (session) => {
    // An earlier run under the same key may have crashed after it stored the dealer.
    const earlier = await scoped(DealerModel, context.installationId).findOne({ _id }, { session });
    if (earlier) return earlier;
    await assertMayFound(context, session);
    const members = [{ userId: viewer.id, role: 'owner' as const }];
    return storeDealer(installation, { _id, ...given, members }, context.platform, { session });
  });
}

function toProfile(input: CreateDealerInput, currency: string): DealerProfile {
  const empty: DealerProfile = {
    legalName: '',
    tradeName: '',
    slug: toSlug(input.tradeName, 60),
    description: null,
    website: null,
    logoMediaId: null,
    bannerMediaId: null,
    contactEmail: '',
    contactPhone: null,
    country: '',
    currency,
    address: null,
    locations: [],
    schedule: { interval: 'manual', anchor: null },
  };
  const { idempotencyKey: _, slug, currency: stated, ...members } = input;
  return applyProfile(empty, {
    ...members,
    ...(typeof slug === 'string' ? { slug } : {}),
    ...(typeof stated === 'string' ? { currency: stated } : {}),
  });
}

/**
 * Checks the number of owned dealers. Each creation writes the user's record, so concurrent ones conflict; otherwise
 * each would count without the other.
 */
async function assertMayFound(context: RequestContext, session: ClientSession): Promise<void> {
  const { viewer, installationId } = context;
  await lockSeller(context, viewer.id, session);
  const owned = await scoped(DealerModel, installationId).count(
    { members: { $elemMatch: { userId: viewer.id, role: 'owner' } }, state: { $ne: 'closed' } },
    { limit: mostOwned, session },
  );
  if (owned < mostOwned) return;
  throw new AppError('dealer_limit', `A user can own at most ${mostOwned} dealers.`);
}
