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

/** Returns the members of a record that users write. */
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

/** Adds empty opening hours to locations that were stored before opening hours existed. */
function withHours(location: StoredLocation): StoredLocation {
  return { ...location, openingHours: location.openingHours ?? [] };
}

/**
 * Returns the profile with the members of an input merged (RFC 7396): omitted members stay, null clears, objects are
 * merged, and lists are replaced. Texts are trimmed. Null for a required member becomes an empty text, which
 * `checkProfile` refuses.
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

/** Returns a location. A location without an id is new; a single one keeps its id even if the input omits it. */
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
