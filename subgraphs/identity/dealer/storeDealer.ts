import { AppError } from '../../platform/errors/AppError.ts';
import { newId } from '../../platform/ids/newId.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { toSlug } from '../slug/toSlug.ts';
import { DealerModel, type DealerRecord, defaultLimits, type StoredLocation } from './model.ts';

/** What a new dealer is made of; everything else has a default. */
export interface NewDealer {
  tradeName: string;
  legalName?: string;
  slug?: string;
  contactEmail: string;
  contactPhone?: string;
  country?: string;
  currency?: string;
  description?: string;
  address?: DealerRecord['address'];
  locations?: Omit<StoredLocation, 'id'>[];
  /** First member is the owner. */
  members: { userId: string; role: 'owner' | 'manager' | 'agent'; locationIds?: string[] }[];
  state?: DealerRecord['state'];
  limits?: Partial<DealerRecord['limits']>;
}

/**
 * Stores a new dealer. The caller has checked what a person typed; here only the slug must be free.
 *
 * @throws AppError `slug_taken`
 */
export async function storeDealer(
  installation: Installation,
  dealer: NewDealer,
  { now }: { now: () => number },
): Promise<DealerRecord> {
  const at = new Date(now());
  const { legalName, slug, country, currency, state, limits, locations = [], members, ...given } = dealer;
  const record: Omit<DealerRecord, 'installationId'> = {
    _id: newId('dealer'),
    description: null,
    website: null,
    contactPhone: null,
    address: null,
    stateReason: null,
    ...given,
    legalName: legalName ?? dealer.tradeName,
    slug: slug ?? toSlug(dealer.tradeName, 60),
    country: country ?? 'DE',
    currency: currency ?? installation.defaultCurrency,
    locations: locations.map((location) => ({
      id: newId('location'),
      ...location,
    })),
    state: state ?? 'onboarding',
    members: members.map(({ locationIds = [], ...member }) => ({
      ...member,
      locationIds,
      joinedAt: at,
    })),
    limits: {
      ...defaultLimits,
      ...limits,
    },
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  try {
    return await scoped(DealerModel, installation.id).insert(record);
  } catch (error) {
    if (!isDuplicateKey(error, 'slug')) throw error;
    throw new AppError('slug_taken', 'There is a dealer with this name in its address already.');
  }
}
