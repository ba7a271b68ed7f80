import type { Caller } from './Caller.ts';
import { type CarListing, readCarListings } from './carListings.ts';

const myListings = `query listings($after: String) {
  listings(first: 100, after: $after) { nodes { id stockNumber state } pageInfo { hasNextPage endCursor } }
}`;
const createListing = `mutation createListing($input: CreateListingInput!) { createListing(input: $input) { listing { id } } }`;
const publishListing = `mutation publishListing($input: PublishListingInput!) { publishListing(input: $input) { listing { id } } }`;

interface StoredListing {
  id: string;
  stockNumber: string;
  state: string;
}

/** A listing of the demonstration and the car behind it. */
export interface SeededListing {
  id: string;
  car: CarListing;
}

const atOnce = 4;

/**
 * Offers every car of the data set as a listing of the dealer, through the same operations that a dealer's own
 * software would call. Cars that an earlier start offered stay as they are.
 */
export async function seedListings(
  dealer: Caller,
  place: { dealerId: string; categoryId: string },
  progress: (done: number, total: number) => void,
): Promise<SeededListing[]> {
  const cars = readCarListings();
  const stored = await readStored(dealer);
  const seeded: SeededListing[] = [];
  const queue = cars.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, car] of queue) {
      const present = stored.get(car.stockNumber);
      const id = present?.id ?? (await create(dealer, place, car));
      if (!present || present.state === 'DRAFT')
        await dealer.call(publishListing, {
          input: { listingId: id, idempotencyKey: `demonstration-publish-${car.stockNumber}` },
        });
      seeded[index] = { id, car };
      done += 1;
      if (done % 100 === 0 || done === cars.length) progress(done, cars.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return seeded;
}

async function readStored(dealer: Caller): Promise<Map<string, StoredListing>> {
  const stored = new Map<string, StoredListing>();
  let after: string | null = null;
  do {
    const page: { listings: { nodes: StoredListing[]; pageInfo: { endCursor: string | null } } } =
      await dealer.call(myListings, { after });
    for (const listing of page.listings.nodes) stored.set(listing.stockNumber, listing);
    after = page.listings.pageInfo.endCursor;
  } while (after !== null);
  return stored;
}

async function create(
  dealer: Caller,
  { dealerId, categoryId }: { dealerId: string; categoryId: string },
  car: CarListing,
): Promise<string> {
  const { stockNumber, title, description, priceAmount, attributes } = car;
  const { createListing: created } = await dealer.call<{ createListing: { listing: { id: string } } }>(
    createListing,
    {
      input: {
        dealerId,
        categoryId,
        stockNumber,
        title,
        description,
        attributes,
        language: 'en',
        condition: 'USED',
        price: {
          amount: priceAmount,
          currency: 'EUR',
        },
        priceType: 'FIXED',
        location: {
          postalCode: '10115',
          city: 'Berlin',
          country: 'DE',
        },
        idempotencyKey: `demonstration-${stockNumber}`,
      },
    },
  );
  return created.listing.id;
}
