import type { NewDealer } from '../../subgraphs/identity/people/dealer/storeDealer.ts';
import type { FeedPlace } from './carFeed.ts';
import type { CarOrigin } from './carListings.ts';
import type { Emblem } from './pictures/drawLogo.ts';

/** A dealer of the demonstration, and the part of the data set that it sells. */
export interface DemonstrationDealer {
  readonly profile: Pick<NewDealer, 'tradeName'> & Partial<NewDealer>;
  readonly stock?: { readonly origin: CarOrigin; readonly place: FeedPlace; readonly emblem: Emblem };
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const openingHours = [
  ...weekdays.map((day) => ({ day, opens: '09:00', closes: '18:00' })),
  { day: 'sat' as const, opens: '10:00', closes: '14:00' },
];

/** Dealer of cars from the United States, with most of the stock. */
export const roadTestCars = dealerOf(
  {
    tradeName: 'Road Test Cars',
    legalName: 'Road Test Cars GmbH',
    description:
      'American cars of the seventies, from the compact to the full-size estate. **Every car was road tested**, and its figures are in the listing.',
    contactPhone: '+493055512300',
  },
  { street: 'Chausseestr. 40', postalCode: '10115', city: 'Berlin', lat: 52.5327, lng: 13.3839 },
  { origin: 'USA', emblem: 'road' },
);

/** Dealer of cars from Japan. */
export const sunriseImports = dealerOf(
  {
    tradeName: 'Sunrise Imports',
    legalName: 'Sunrise Imports KG',
    description:
      'Japanese cars from the first Corolla to the RX-7. Low fuel consumption and a complete service history.',
    contactPhone: '+494055512300',
  },
  { street: 'Am Sandtorkai 12', postalCode: '20457', city: 'Hamburg', lat: 53.5438, lng: 9.9956 },
  { origin: 'Japan', emblem: 'sun' },
);

/** Dealer of cars from Europe. */
export const alpineClassics = dealerOf(
  {
    tradeName: 'Alpine Classics',
    legalName: 'Alpine Classics e.K.',
    description:
      'European saloons and estates: Volvo, Saab, Peugeot, Audi and BMW. We deliver within 300 kilometres of Munich.',
    contactPhone: '+498955512300',
  },
  { street: 'Theresienhöhe 8', postalCode: '80339', city: 'Munich', lat: 48.1341, lng: 11.5462 },
  { origin: 'Europe', emblem: 'mountains' },
);

interface Yard extends FeedPlace {
  readonly street: string;
}

function dealerOf(
  profile: DemonstrationDealer['profile'],
  { street, ...place }: Yard,
  { origin, emblem }: { origin: CarOrigin; emblem: Emblem },
): Required<DemonstrationDealer> {
  const { postalCode, city, lat, lng } = place;
  const address = { line1: street, line2: null, postalCode, city, region: null, country: 'DE' };
  const location = { name: city, address, geo: { lat, lng }, phone: null, openingHours, default: true };
  return {
    profile: { ...profile, country: 'DE', address, locations: [location] },
    stock: { origin, place, emblem },
  };
}
