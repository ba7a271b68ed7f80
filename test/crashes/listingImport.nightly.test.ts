import { carFeed } from '../../app/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../../app/demonstration/carListings.ts';
import { product } from '../support/product.ts';
import { collection, waitFor } from './moneyWorld.ts';
import { openPrograms, type Programs } from './openPrograms.ts';

const patienceMs = 180_000;
const size = 3000;
/** Every hundredth row is invalid. */
const [valid, invalid] = [size - 30, 30];

let programs: Programs | undefined;
// Declared before the stack, so that the programs end before it.
afterAll(() => programs?.close(), patienceMs);
const { market } = product({});
beforeAll(async () => {
  programs = await openPrograms();
});

/** A feed that repeats real cars. */
function feed(): string {
  const cars = readCarListings();
  return carFeed(
    Array.from({ length: size }, (_, index) => {
      const car = cars[index % cars.length] as CarListing;
      const title = index % 100 === 0 ? 'Car' : `${car.title} (${index})`;
      return { ...car, stockNumber: `K${index}`, title };
    }),
  );
}

test(
  'an import whose process is killed twice is completed by a third one, and no row is imported twice',
  async () => {
    if (!programs) throw new Error('The programs are not open yet.');
    const dealer = await market.dealer({ limits: { maxActiveListings: size, maxMembers: 10 } });
    let victim = await programs.start();
    const started = await victim.client.send({
      method: 'POST',
      path: `/api/v1/dealers/${dealer.id}/listing-imports`,
      host: market.installation.hosts[0] ?? '',
      token: dealer.owner.token,
      headers: [['content-type', 'text/csv']],
      body: feed(),
    });
    expect(started.status).toBe(202);
    const importId: string = started.json.id;
    const stored = () => collection('listing_imports').findOne({ _id: importId });
    const own = { 'owner.id': dealer.id };
    const count = (name: string, filter: object) => collection(name).countDocuments(filter);
    for (const rows of [400, 1600]) {
      await waitFor(async () => (await stored())?.counts.rows >= rows);
      await victim.kill();
      const record = await stored();
      expect([record?.state, record?.counts.rows < size]).toEqual(['running', true]);
      // Exactly the counted rows have listings.
      expect(await count('listings', own)).toBe(record?.counts.created);
      // The lease of a killed process would last a minute.
      await collection('leases').updateMany({}, { $set: { until: new Date(0) } });
      victim = await programs.start();
    }
    await waitFor(async () => (await stored())?.state === 'completed');
    const counts = { rows: size, created: valid, updated: 0, unchanged: 0, archived: 0, failed: invalid };
    expect(await stored()).toMatchObject({ attempts: 3, counts });
    expect(await collection('listings').distinct('stockNumber', own)).toHaveLength(valid);
    expect(await count('listings', own)).toBe(valid);
    expect(await count('catalog_listings', { 'seller.id': dealer.id })).toBe(valid);
    expect(await count('listing_import_errors', { importId })).toBe(invalid);
    // Each listing is published once to the other subgraphs, which store it.
    await waitFor(async () => (await count('arrivals', {})) === 0);
    const created = { 'object.type': 'listing', type: 'object.created' };
    expect(await count('events', created)).toBe(valid);
    expect(await collection('events').distinct('object.id', created)).toHaveLength(valid);
    for (const name of ['seo_pages', 'translation_object_heads'])
      await waitFor(
        async () => (await count(name, { objectType: 'listing', visibility: 'PUBLIC' })) === valid,
      );
  },
  patienceMs,
);
