import type { ClientSession } from 'mongoose';
import { AppError } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { toSlug } from '../../kernel/slug/toSlug.ts';
import { insertOwner } from '../seller-standing/sellerStanding.ts';
import { DealerModel, type DealerRecord, defaultLimits, neverQueued, type StoredLocation } from './model.ts';
import { notStarted } from './verification.ts';

/** Members of a new dealer; others have a default. */
export interface NewDealer {
  _id?: string;
  tradeName: string;
  legalName?: string;
  slug?: string;
  contactEmail: string;
  contactPhone?: string | null;
  country?: string;
  currency?: string;
  description?: string | null;
  website?: string | null;
  address?: DealerRecord['address'];
  locations?: (Omit<StoredLocation, 'id' | 'openingHours'> &
    Partial<Pick<StoredLocation, 'id' | 'openingHours'>>)[];
  /** First member is the owner. */
  members: { userId: string; role: 'owner' | 'manager' | 'agent'; locationIds?: string[] }[];
  state?: DealerRecord['state'];
  limits?: Partial<DealerRecord['limits']>;
}

/**
 * Stores a new dealer. The caller has validated the input; only the slug is checked here.
 *
 * @throws AppError `slug_taken`
 */
export async function storeDealer(
  installation: Installation,
  dealer: NewDealer,
  { now }: { now: () => number },
  options: { session?: ClientSession } = {},
): Promise<DealerRecord> {
  const at = new Date(now());
  const { slug = toSlug(dealer.tradeName, 60), currency = installation.defaultCurrency } = dealer;
  const { state = 'onboarding', limits, locations = [], members, ...given } = dealer;
  const record: Omit<DealerRecord, 'installationId'> = {
    _id: newId('dealer'),
    description: null,
    website: null,
    logoMediaId: null,
    bannerMediaId: null,
    contactPhone: null,
    address: null,
    legalName: dealer.tradeName,
    country: 'DE',
    stateReason: null,
    ...given,
    ...defaultTerms(installation, currency),
    slug,
    slugs: [slug],
    currency,
    locations: locations.map((location) => ({ id: newId('location'), openingHours: [], ...location })),
    state,
    members: members.map(({ locationIds = [], ...member }) => ({ ...member, locationIds, joinedAt: at })),
    limits: { ...defaultLimits, ...limits },
    verification: notStarted,
    approval: null,
    queuedAt: neverQueued,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...firstOutbox({ platform: { now } }, 'object.created'),
  };
  const stored = await scoped(DealerModel, installation.id)
    .insert(record, options)
    .catch((error: unknown) => {
      throw isDuplicateKey(error, 'slugs') ? slugTaken() : error;
    });
  await insertOwner(installation.id, stored._id, options);
  return stored;
}

/** Returns the 409 for a slug that another dealer uses or has used. */
export function slugTaken(): AppError {
  return new AppError('slug_taken', 'Another dealer uses this slug. Send another "slug".');
}

function defaultTerms(
  { settings }: Installation,
  currency: string,
): Pick<DealerRecord, 'commission' | 'payout'> {
  const { rateBps, fixedAmount, taxRateBps } = settings.dealerCommission;
  return {
    commission: {
      rateBps,
      taxRateBps,
      fixed: fixedAmount === null ? null : { amount: fixedAmount, currency },
    },
    payout: {
      accountState: 'none',
      requirementsDue: [],
      schedule: { interval: 'manual', anchor: null },
      minimumAmount: { amount: 0, currency },
    },
  };
}
