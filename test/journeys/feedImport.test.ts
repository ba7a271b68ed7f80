import { carFeed } from '../../app/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../../app/demonstration/carListings.ts';
import type { ListingImportError } from '../../subgraphs/identity/identity.generated.ts';
import { perFile, product } from '../support/product.ts';

const world = product();

const dealer = perFile(() => world.market.dealer());

const cars = readCarListings();

/** Repeats the real cars, each with a unique stock number and title. */
function stock(size: number): CarListing[] {
  return Array.from({ length: size }, (_, index) => {
    const car = cars[index % cars.length] as CarListing;
    const round = Math.floor(index / cars.length);
    const title = `${car.title.slice(0, 100)} (${round})`;
    return { ...car, stockNumber: `${car.stockNumber}-${round}`, title };
  });
}

/** Mutations of a row, and the pointer of the error that the import must report. */
const faults: readonly [(car: CarListing) => CarListing, string][] = [
  [(car) => ({ ...car, title: 'Car' }), '#/title'],
  [(car) => ({ ...car, priceAmount: -1 }), '#/price/amount'],
  [(car) => ({ ...car, stockNumber: `${car.stockNumber} !` }), '#/stockNumber'],
  [(car) => ({ ...car, attributes: { ...car.attributes, fuel: 'steam' } }), '#/attributes/fuel'],
  [(car) => ({ ...car, attributes: { ...car.attributes, mileageKm: 'far' } }), '#/attributes/mileageKm'],
  [(car) => ({ ...car, attributes: { ...car.attributes, make: '' } }), '#/attributes/make'],
  [(car) => ({ ...car, description: '<script>alert(1)</script>' }), '#/description'],
];

/** Imports a feed, and returns the counts of its outcome and all errors. */
async function importFeed(feed: readonly CarListing[], mode: 'FULL' | 'UPSERT') {
  const { owner, id: dealerId } = dealer;
  const content = carFeed(feed);
  const started = await owner.startListingImport({ dealerId, content, format: 'CSV', mode });
  await world.stack.runJob('identity.listing-imports');
  const found: ListingImportError[] = [];
  for (let after: string | null = null; ; ) {
    const importId = started.listingImport.id;
    const { state, counts, errors } = await owner.listingImport(
      { dealerId, importId },
      `state counts { created updated unchanged archived failed rows }
       errors(first: 100, after: ${JSON.stringify(after)}) { nodes { row code pointer detail } pageInfo { endCursor } }`,
    );
    expect(state).toBe('COMPLETED');
    found.push(...errors.nodes);
    after = errors.pageInfo.endCursor ?? null;
    if (after === null) return { counts, errors: found };
  }
}

const nothing = { created: 0, updated: 0, unchanged: 0, archived: 0, failed: 0 };

test('an import of 400 rows reports each invalid row, and the next import applies only the differences', async () => {
  const rows = stock(400);
  const mutated = rows.map((car, index) =>
    index % 25 === 0 ? (faults[(index / 25) % faults.length]?.[0](car) ?? car) : car,
  );
  const first = await importFeed(mutated, 'UPSERT');
  expect(first.counts).toEqual({ ...nothing, rows: 400, created: 384, failed: 16 });
  expect(first.errors.map(({ row, pointer }) => [row, pointer])).toEqual(
    Array.from({ length: 16 }, (_, index) => [index * 25 + 1, faults[index % faults.length]?.[1]]),
  );
  // The corrected rows, with a lower price for every tenth car and without the last 32.
  const next = rows
    .slice(0, 368)
    .map((car, index) => (index % 10 === 3 ? { ...car, priceAmount: car.priceAmount - 100 } : car));
  const second = await importFeed(next, 'FULL');
  expect(second.counts).toEqual({
    ...nothing,
    rows: 368,
    created: 15,
    updated: 37,
    unchanged: 316,
    archived: 31,
  });
  const third = await importFeed(next, 'FULL');
  expect(third.counts).toEqual({ ...nothing, rows: 368, unchanged: 368 });
}, 120_000);
