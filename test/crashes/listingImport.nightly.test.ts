import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { carFeed } from '../../start/demonstration/carFeed.ts';
import { type CarListing, readCarListings } from '../../start/demonstration/carListings.ts';
import { storeDealer } from '../../subgraphs/identity/dealer/storeDealer.ts';
import { createInstallation } from '../../subgraphs/identity/installation/createInstallation.ts';
import { createUser } from '../../subgraphs/identity/user/createUser.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { openHttpClient } from '../support/openHttpClient.ts';
import { openProcesses, type Processes } from '../support/openProcesses.ts';

const patienceMs = 180_000;
const password = 'plum-tractor-9-violin';
const host = 'shop.localhost';
const size = 3000;

let processes: Processes;

beforeAll(async () => {
  processes = await openProcesses();
}, patienceMs);
afterAll(() => processes.close(), patienceMs);

const collection = (name: string) =>
  mongoose.connection.collection<{ _id: string; [member: string]: any }>(name);

/** Real cars again and again; every hundredth row cannot be taken. */
function feed(): string {
  const cars = readCarListings();
  return carFeed(
    Array.from({ length: size }, (_, index) => {
      const car = cars[index % cars.length] as CarListing;
      return {
        ...car,
        stockNumber: `K${index}`,
        title: index % 100 === 0 ? 'Car' : `${car.title} (${index})`,
      };
    }),
  );
}

async function waitFor<T>(find: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(25)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('It did not happen.');
}

test(
  'an import whose process is killed twice is finished by a third one, and no row of it is done twice',
  async () => {
    const installation = await createInstallation(
      { name: 'Shop', hosts: [host], baseUrl: `http://${host}` },
      { now: Date.now },
    );
    const email = 'dealer@example.test';
    const options = { secrets: createSecrets(processes.secret), now: Date.now };
    const { _id: userId } = await createUser(
      installation,
      { email, displayName: 'Dealer', password, emailVerified: true },
      options,
    );
    const dealer = await storeDealer(
      installation,
      {
        tradeName: 'Garage',
        contactEmail: email,
        state: 'active',
        members: [{ userId, role: 'owner' }],
        limits: { maxActiveListings: size, maxMembers: 10 },
      },
      options,
    );
    let victim = await processes.start();
    const client = openHttpClient(Number(new URL(victim.url).port));
    const signedIn = await client.send({
      method: 'POST',
      path: '/api/v1/auth/token',
      host,
      body: { grant_type: 'password', username: email, password },
    });
    const started = await client.send({
      method: 'POST',
      path: `/api/v1/dealers/${dealer._id}/listing-imports`,
      host,
      token: signedIn.json.access_token,
      headers: [['content-type', 'text/csv']],
      body: feed(),
    });
    expect(started.status).toBe(202);
    client.close();
    const stored = () => collection('listing_imports').findOne({ _id: started.json.id });
    for (const rows of [400, 1600]) {
      await waitFor(async () => (await stored())?.counts.rows >= rows);
      await victim.kill();
      const { counts, state } = (await stored()) as { [member: string]: any };
      expect([state, counts.rows < size]).toEqual(['running', true]);
      // What counts is there, and nothing else is.
      expect(await collection('listings').countDocuments({ 'owner.id': dealer._id })).toBe(counts.created);
      // The lease of a process that vanished ends after a minute; nobody has to wait for it here.
      await collection('leases').updateMany({}, { $set: { until: new Date(0) } });
      victim = await processes.start();
    }
    await waitFor(async () => (await stored())?.state === 'completed');
    expect(await stored()).toMatchObject({
      attempts: 3,
      counts: { rows: size, created: size - 30, updated: 0, unchanged: 0, archived: 0, failed: 30 },
    });
    const numbers = await collection('listings').distinct('stockNumber', { 'owner.id': dealer._id });
    expect(numbers).toHaveLength(size - 30);
    expect(await collection('listings').countDocuments({ 'owner.id': dealer._id })).toBe(size - 30);
    expect(await collection('catalog_listings').countDocuments({ 'seller.id': dealer._id })).toBe(size - 30);
    expect(await collection('listing_import_errors').countDocuments({ importId: started.json.id })).toBe(30);
    // Others are told of each of them, once, and keep it.
    await waitFor(async () => (await collection('arrivals').countDocuments()) === 0);
    const listings = { 'object.type': 'listing', type: 'object.created' };
    expect(await collection('events').countDocuments(listings)).toBe(size - 30);
    expect(await collection('events').distinct('object.id', listings)).toHaveLength(size - 30);
    const heads = { objectType: 'listing', visibility: 'PUBLIC' };
    for (const name of ['seo_object_heads', 'translation_object_heads'])
      await waitFor(async () => (await collection(name).countDocuments(heads)) === size - 30);
  },
  patienceMs,
);
