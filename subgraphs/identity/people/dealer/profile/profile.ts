import { newId } from '../../../../platform/ids/newId.ts';
import type { UpdateDealerInput } from '../../../identity.generated.ts';
import type { DealerRecord, StoredAddress, StoredLocation, StoredPayoutSchedule } from '../model.ts';

/** Members of a dealer that managers write, and members of payouts that owners write. */
export interface DealerProfile
  extends Pick<
    DealerRecord,
    | 'legalName'
    | 'tradeName'
    | 'slug'
    | 'description'
    | 'website'
    | 'logoMediaId'
    | 'bannerMediaId'
    | 'contactEmail'
    | 'contactPhone'
    | 'country'
    | 'currency'
    | 'address'
    | 'locations'
  > {
  schedule: StoredPayoutSchedule;
}

/** Members of a dealer as they arrive; null and left out are different. */
export type ProfileInput = Omit<UpdateDealerInput, 'dealerId' | 'expectedVersion'>;

const cleared = {
  description: null,
  website: null,
  logoMediaId: null,
  bannerMediaId: null,
  contactPhone: null,
} as const;
const required = ['legalName', 'tradeName', 'slug', 'contactEmail', 'country', 'currency'] as const;

/** The part of a record that is written by people. */
export function profileOf({ payout, ...dealer }: DealerRecord): DealerProfile {
  return {
    legalName: dealer.legalName,
    tradeName: dealer.tradeName,
    slug: dealer.slug,
    description: dealer.description,
    website: dealer.website,
    logoMediaId: dealer.logoMediaId ?? null,
    bannerMediaId: dealer.bannerMediaId ?? null,
    contactEmail: dealer.contactEmail,
    contactPhone: dealer.contactPhone,
    country: dealer.country,
    currency: dealer.currency,
    address: dealer.address,
    locations: dealer.locations.map(withHours),
    schedule: payout.schedule,
  };
}

/** Places that were stored before there were hours have none. */
function withHours(location: StoredLocation): StoredLocation {
  return { ...location, openingHours: location.openingHours ?? [] };
}

/**
 * The profile with the members of an input put in its place (RFC 7396): left out stays, null clears, objects are
 * merged, lists replaced. Texts are trimmed; null in what cannot be empty becomes an empty text, which `checkProfile`
 * refuses like every other fault.
 */
export function applyProfile(before: DealerProfile, input: ProfileInput): DealerProfile {
  const after: DealerProfile = { ...before };
  for (const member of required) if (member in input) after[member] = input[member]?.trim() ?? '';
  for (const member of Object.keys(cleared) as (keyof typeof cleared)[])
    if (member in input) after[member] = input[member]?.trim() || null;
  if (input.address !== undefined)
    after.address = input.address && applyAddress(before.address, input.address);
  if (input.locations !== undefined) after.locations = (input.locations ?? []).map(toLocation);
  const { interval, anchor } = input.payout?.schedule ?? {};
  if (interval) after.schedule = { interval, anchor: anchor ?? null };
  return after;
}

const nowhere: StoredAddress = {
  line1: '',
  line2: null,
  postalCode: '',
  city: '',
  region: null,
  country: '',
};

function applyAddress(
  before: StoredAddress | null,
  input: NonNullable<ProfileInput['address']>,
): StoredAddress {
  const after = { ...(before ?? nowhere) };
  for (const member of ['line1', 'postalCode', 'city', 'country'] as const)
    if (member in input) after[member] = input[member]?.trim() ?? '';
  for (const member of ['line2', 'region'] as const)
    if (member in input) after[member] = input[member]?.trim() || null;
  return after;
}

type LocationInput = NonNullable<ProfileInput['locations']>[number];

/** A place that names no id is new; a single one is where the dealer is without saying so. */
function toLocation(input: LocationInput, _: number, all: readonly LocationInput[]): StoredLocation {
  const { id, name, address, geo, phone, openingHours } = input;
  return {
    id: id ?? newId('location'),
    name: name.trim(),
    address: applyAddress(null, address),
    geo: { lat: geo.lat, lng: geo.lng },
    phone: phone?.trim() || null,
    openingHours: (openingHours ?? []).map(({ day, opens, closes }) => ({
      day,
      opens,
      closes,
    })),
    default: input.default ?? all.length === 1,
  };
}
