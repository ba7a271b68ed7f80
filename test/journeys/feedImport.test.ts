import { carFeed } from '../../start/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../../start/demonstration/carListings.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, seed } from '../support/seed.ts';

const patienceMs = 120_000;
let app: TestApp;
let dealer: SeededDealer;

beforeAll(async () => {
  app = await openTestApp();
  const shop = await seed(app.stack).in(app.stack.demo);
  dealer = await shop.dealer();
}, patienceMs);
afterAll(() => app.close());

const cars = readCarListings();

/** Cars of a number: the real ones again and again, each under a number and title of its own. */
function stock(size: number): CarListing[] {
  return Array.from({ length: size }, (_, index) => {
    const car = cars[index % cars.length] as CarListing;
    const round = Math.floor(index / cars.length);
    return {
      ...car,
      stockNumber: `${car.stockNumber}-${round}`,
      title: `${car.title.slice(0, 100)} (${round})`,
    };
  });
}

/** What is done to a row, and where the import must say so. */
const faults: readonly [(car: CarListing) => CarListing, string][] = [
  [(car) => ({ ...car, title: 'Car' }), '#/title'],
  [(car) => ({ ...car, priceAmount: -1 }), '#/price/amount'],
  [(car) => ({ ...car, stockNumber: `${car.stockNumber} !` }), '#/stockNumber'],
  [(car) => ({ ...car, attributes: { ...car.attributes, fuel: 'steam' } }), '#/attributes/fuel'],
  [(car) => ({ ...car, attributes: { ...car.attributes, mileageKm: 'far' } }), '#/attributes/mileageKm'],
  [(car) => ({ ...car, attributes: { ...car.attributes, make: '' } }), '#/attributes/make'],
  [(car) => ({ ...car, description: '<script>alert(1)</script>' }), '#/description'],
];

async function take(feed: readonly CarListing[], query = ''): Promise<any> {
  const path = `/api/v1/dealers/${dealer.id}/listing-imports`;
  const { token } = dealer.owner;
  const started = await app.send({
    method: 'POST',
    path: `${path}${query}`,
    token,
    body: carFeed(feed),
    headers: [['content-type', 'text/csv']],
  });
  expect(started.status).toBe(202);
  await app.stack.runJob('identity.listing-imports');
  const errors: any[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await app.send({
      method: 'GET',
      path: `${path}/${started.json.id}?limit=100${cursor}`,
      token,
    });
    errors.push(...json.data);
    if (json.page.nextCursor === null) return { ...json, data: errors };
    cursor = `&cursor=${json.page.nextCursor}`;
  }
}

test(
  'an import of 1,000 mutated rows reports each fault, and the next import what changed',
  async () => {
    const rows = stock(1000);
    const mutated = rows.map((car, index) =>
      index % 25 === 0 ? (faults[(index / 25) % faults.length]?.[0](car) ?? car) : car,
    );
    const first = await take(mutated);
    expect(first).toMatchObject({
      state: 'completed',
      counts: { rows: 1000, created: 960, updated: 0, unchanged: 0, archived: 0, failed: 40 },
    });
    expect(first.data.map(({ row, pointer }: { row: number; pointer: string }) => [row, pointer])).toEqual(
      Array.from({ length: 40 }, (_, index) => [index * 25 + 1, faults[index % faults.length]?.[1]]),
    );
    // Corrected, every tenth car cheaper, the last eighty removed.
    const next = rows
      .slice(0, 920)
      .map((car, index) => (index % 10 === 3 ? { ...car, priceAmount: car.priceAmount - 100 } : car));
    const second = await take(next, '?mode=full');
    expect(second.counts).toEqual({
      rows: 920,
      created: 37,
      updated: 92,
      unchanged: 791,
      archived: 77,
      failed: 0,
    });
    const third = await take(next, '?mode=full');
    expect(third.counts).toEqual({
      rows: 920,
      created: 0,
      updated: 0,
      unchanged: 920,
      archived: 0,
      failed: 0,
    });
  },
  patienceMs,
);
