import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { DealerModel } from '../dealer/model.ts';
import { UserModel } from '../user/model.ts';
import { expireListings } from './expireListings.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { listingStates } from './states.ts';

const world = product();
const { market } = world;
const day = 24 * 3600 * 1000;
const life = 60 * day;

interface Caller {
  token: string;
}
const run = (source: string, input: object, by: Caller) =>
  world.stack.execute(source, { input }, { as: by.token, installation: market.installation });
const renew = (listingId: string, by: Caller, more: object = {}) =>
  run(
    `mutation ($input: RenewListingInput!) { renewListing(input: $input) { listing {
      id state stateReason publishedAt expiresAt renewedAt version } } }`,
    { listingId, ...more },
    by,
  );
const stored = async (id: string): Promise<ListingRecord> => {
  const listing = await scoped(ListingModel, market.installation.id).findOne({ _id: id });
  if (!listing) throw new Error('The listing is not there.');
  return listing;
};
const copyOf = (id: string) => scoped(CatalogListingModel, market.installation.id).findOne({ _id: id });
const put = (id: string, set: Partial<ListingRecord>) =>
  scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: set });
const leave = (id: string, leftMs: number) =>
  put(id, { expiresAt: new Date(world.stack.platform.now() + leftMs) });
/** Published, run out, and found by the job. */
const expired = async (by: {
  listing(options: { published: boolean }): Promise<{ id: string }>;
}): Promise<string> => {
  const { id } = await by.listing({ published: true });
  await leave(id, -1);
  await world.stack.runJob(expireListings.name);
  return id;
};

describe('a listing whose time is over', () => {
  test('expires with its public copy, active or paused, and nothing else does', async () => {
    const anna = await market.user();
    const ids: Record<string, string> = {};
    for (const state of listingStates) {
      const { id } = await anna.listing({ published: true });
      ids[state] = id;
      await put(id, { state });
      await leave(id, -1);
    }
    const { id: running } = await anna.listing({ published: true });
    await Promise.all([world.stack.runJob(expireListings.name), world.stack.runJob(expireListings.name)]);
    for (const state of listingStates) {
      const listing = await stored(ids[state] ?? '');
      const expires = state === 'active' || state === 'paused';
      expect([state, listing.state, listing.version]).toEqual([
        state,
        expires ? 'expired' : state,
        expires ? 3 : 2,
      ]);
    }
    expect(await copyOf(ids.active ?? '')).toBeNull();
    expect(await stored(running)).toMatchObject({ state: 'active' });
    expect(await copyOf(running)).not.toBeNull();
  });

  test('either expires or is renewed when both happen at once, and the copy follows', async () => {
    const anna = await market.user();
    for (let round = 0; round < 5; round += 1) {
      const { id } = await anna.listing({ published: true });
      await leave(id, -1);
      const [result] = await Promise.all([renew(id, anna), world.stack.runJob(expireListings.name)]);
      expect(result.errors).toBeUndefined();
      const listing = await stored(id);
      expect(listing).toMatchObject({ state: 'active' });
      expect(await copyOf(id)).toMatchObject({ expiresAt: listing.expiresAt });
    }
  });
});

describe('renewal', () => {
  test('gives a running listing its whole time again in its last 14 days, under the time of its publication', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const { publishedAt } = await stored(id);
    await leave(id, 14 * day);
    const { data } = await renew(id, anna);
    const listing = data?.renewListing.listing;
    expect(listing).toMatchObject({ state: 'ACTIVE', publishedAt: publishedAt?.toISOString(), version: 3 });
    expect(Date.parse(listing.expiresAt) - Date.parse(listing.renewedAt)).toBe(life);
    expect(await copyOf(id)).toMatchObject({ publishedAt, expiresAt: new Date(listing.expiresAt) });
  });

  test('is too early while more than 14 days are left', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await leave(id, 14 * day + 60_000);
    expect(problemOf(await renew(id, anna))).toMatchObject({ code: 'renewal_too_early', status: 409 });
    expect(await stored(id)).toMatchObject({ version: 2, renewedAt: null });
  });

  test('shows an expired listing again', async () => {
    const anna = await market.user();
    const id = await expired(anna);
    expect(await copyOf(id)).toBeNull();
    expect((await renew(id, anna)).data?.renewListing.listing).toMatchObject({ state: 'ACTIVE' });
    const listing = await stored(id);
    expect(await copyOf(id)).toMatchObject({ slug: listing.slug, expiresAt: listing.expiresAt });
  });

  test('asked for by ten at once happens once; with one key it answers the same', async () => {
    const anna = await market.user();
    const id = await expired(anna);
    const results = await Promise.all(Array.from({ length: 10 }, () => renew(id, anna)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'renewal_too_early' });
    const other = await expired(anna);
    const key = { idempotencyKey: unique('key') };
    const first = await renew(other, anna, key);
    expect(first.errors).toBeUndefined();
    expect((await renew(other, anna, key)).data).toEqual(first.data);
  });

  test.each(listingStates.filter((state) => state !== 'active' && state !== 'expired'))(
    'is refused from %s',
    async (state) => {
      const anna = await market.user();
      const { id } = await anna.listing();
      await put(id, { state });
      expect(problemOf(await renew(id, anna))).toMatchObject({ code: 'invalid_transition', status: 409 });
    },
  );

  test('of what has expired needs a free place, of what still runs it does not', async () => {
    const dealer = await market.dealer({ limits: { maxActiveListings: 1 } });
    const id = await expired(dealer);
    const { id: running } = await dealer.listing({ published: true });
    expect(problemOf(await renew(id, dealer.owner))).toMatchObject({ code: 'quota_exceeded', status: 403 });
    expect(await stored(id)).toMatchObject({ state: 'expired' });
    await scoped(DealerModel, market.installation.id).findOneAndUpdate(
      { _id: dealer.id },
      { $set: { 'limits.maxActiveListings': 0 } },
    );
    await leave(running, day);
    expect((await renew(running, dealer.owner)).errors).toBeUndefined();
  });

  test('of the last places, asked for at once, goes to as many as there are', async () => {
    const dealer = await market.dealer({ limits: { maxActiveListings: 2 } });
    const ids = [];
    for (let index = 0; index < 6; index += 1) ids.push(await expired(dealer));
    const results = await Promise.all(ids.map((id) => renew(id, dealer.owner)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(2);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'quota_exceeded' });
  });

  test('needs what publication needs: a whole listing, a confirmed address, an active dealer', async () => {
    const anna = await market.user();
    const id = await expired(anna);
    const { title } = await stored(id);
    await put(id, { title: null });
    expect(problemOf(await renew(id, anna))).toMatchObject({
      code: 'listing_incomplete',
      status: 422,
      errors: [{ pointer: '#/title' }],
    });
    await put(id, { title });
    await scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: anna.id },
      { $set: { emailVerified: false } },
    );
    world.stack.platform.forgetPrincipal({ userId: anna.id });
    expect(problemOf(await renew(id, anna))).toMatchObject({ code: 'email_unverified', status: 403 });
    const dealer = await market.dealer();
    const car = await expired(dealer);
    const change = { $set: { state: 'onboarding' as const } };
    await scoped(DealerModel, market.installation.id).findOneAndUpdate({ _id: dealer.id }, change);
    expect(problemOf(await renew(car, dealer.owner))).toMatchObject({ code: 'dealer_not_active' });
    expect(problemOf(await renew(car, await market.user()))).toMatchObject({ code: 'ownership_required' });
  });
});
