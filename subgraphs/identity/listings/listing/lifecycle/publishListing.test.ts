import { concurrently } from '../../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../../test/support/product.ts';
import { isRefused } from '../../../../../test/support/Refusal.ts';
import { type SeededInstallation, type SeededUser } from '../../../../../test/support/seed.ts';
import { DealerModel } from '../../../people/dealer/model.ts';
import { UserModel } from '../../../people/user/model.ts';
import { CatalogListingModel } from '../../catalog/public-listing/model.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import type { ListingRecord } from '../record/model.ts';

const { market, neighbour, stack } = product();
const { listings, stored, put, copyOf } = recordsOf(market);
const day = 24 * 3600 * 1000;

const anna = perTest(() => market.user());

const publish = (listingId: string, by = anna) => by.publishListing({ listingId });
const soldAt = (time: number): Partial<ListingRecord> => ({
  state: 'sold',
  sale: { soldAt: new Date(time), channel: 'elsewhere', price: null, buyerUserId: null },
});

test('publishing shows a complete draft for 60 days, and its address stays after a change', async () => {
  const { id } = await anna.listing({ title: 'Škoda Octavia RS' });
  const { listing } = await publish(id);
  const slug = `skoda-octavia-rs-${id.slice(-10).toLowerCase()}`;
  const url = `${market.installation.baseUrl}/listings/${slug}`;
  const revisions = { revision: 1, publishedRevision: 1, version: 2 };
  expect(listing).toMatchObject({ state: 'ACTIVE', slug, url, ...revisions });
  const { publishedAt, expiresAt } = await stored(id);
  expect(Number(expiresAt) - Number(publishedAt)).toBe(60 * day);
  expect(await copyOf(id)).toMatchObject({ slug, title: 'Škoda Octavia RS' });
  const changed = await anna.updateListing({ listingId: id, title: 'Skoda Superb' });
  expect(changed.listing).toMatchObject({ slug, revision: 2, publishedRevision: 2 });
  expect(await copyOf(id)).toMatchObject({ slug, title: 'Skoda Superb' });
});

test('publishing an incomplete draft is refused with every missing member', async () => {
  const gaps = { title: null, price: null, location: { postalCode: '1' }, attributes: { make: 'vw' } };
  const { id } = await anna.listing(gaps);
  const attributes = ['model', 'firstRegistration', 'mileageKm', 'fuel', 'transmission'];
  const missing = ['title', 'price', 'location/city', 'location/country'];
  const names = [...missing, ...attributes.map((name) => `attributes/${name}`)];
  expect(await publish(id)).toBeRefused(422, 'listing_incomplete', {
    errors: names.map((name) => ({ pointer: `#/${name}` })),
  });
  expect(await copyOf(id)).toBeNull();
});

test('one of fifty concurrent publications succeeds, and a later one is refused with the allowed states', async () => {
  const { id } = await anna.listing();
  const answers = await concurrently(50, () => publish(id));
  expect(answers.filter(isRefused)).toHaveLength(49);
  expect(await stored(id)).toMatchObject({ state: 'active', version: 2 });
  expect(await market.records(CatalogListingModel).count({ _id: id })).toBe(1);
  const allowed = ['paused', 'reserved', 'sold', 'expired', 'rejected', 'archived'];
  expect(await publish(id)).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'active', allowed },
  });
});

test('publishing a sold listing is accepted within seven days of the sale, and refused later', async () => {
  const { id } = await anna.listing({ published: true });
  const now = stack.platform.now();
  await put(id, soldAt(now - 6 * day));
  expect(await publish(id)).toMatchObject({ listing: { state: 'ACTIVE' } });
  await put(id, soldAt(now - 8 * day));
  expect(await publish(id)).toBeRefused(409, 'invalid_transition');
});

test('publishing is refused without a verified email address', async () => {
  const { id } = await anna.listing();
  const users = market.records(UserModel);
  await users.findOneAndUpdate({ _id: anna.id }, { $set: { emailVerified: false } });
  stack.platform.forgetPrincipal({ userId: anna.id });
  expect(await publish(id)).toBeRefused(403, 'email_unverified');
});

test.each(['onboarding', 'suspended', 'closing'] as const)(
  'publishing for a dealer that is %s is refused',
  async (state) => {
    const dealer = await market.dealer();
    const { id } = await dealer.listing();
    const dealers = market.records(DealerModel);
    await dealers.findOneAndUpdate({ _id: dealer.id }, { $set: { state } });
    expect(await publish(id, dealer.owner)).toBeRefused(403, 'dealer_not_active');
  },
);

test('concurrent publications do not exceed the limit of the dealer', async () => {
  const { id: dealerId, owner, listing } = await market.dealer({ limits: { maxActiveListings: 3 } });
  const ids: string[] = [];
  for (let index = 0; index < 8; index += 1) ids.push((await listing()).id);
  const active = () => listings().count({ 'owner.id': dealerId, state: 'active' });
  await Promise.all(ids.map((id) => publish(id, owner)));
  expect(await active()).toBeLessThanOrEqual(3);
  for (const id of ids) await publish(id, owner);
  expect(await active()).toBe(3);
  const { id } = await listing();
  expect(await publish(id, owner)).toBeRefused(403, 'quota_exceeded');
});

describe('in an installation with review before publication', () => {
  let reviewed: SeededInstallation;
  let moderator: SeededUser;
  let owner: SeededUser;
  let records: ReturnType<typeof recordsOf>;

  beforeAll(async () => {
    const settings = { moderation: 'pre' as const, listingLifeDays: 30 };
    reviewed = await neighbour({ settings });
    moderator = await reviewed.staff('moderator');
    owner = await reviewed.user();
    records = recordsOf(reviewed);
  });

  /** Creates a listing that a moderator approves. */
  async function approved(): Promise<string> {
    const { id } = await owner.listing();
    await publish(id, owner);
    await moderator.approveListing({ listingId: id, revision: 1 });
    return id;
  }

  test('publishing sends a listing to review and does not show it', async () => {
    const { id } = await owner.listing();
    const { listing } = await publish(id, owner);
    const unpublished = { slug: null, publishedAt: null, publishedRevision: null };
    expect(listing).toMatchObject({ state: 'PENDING_REVIEW', ...unpublished });
    expect(await records.copyOf(id)).toBeNull();
  });

  test('an approved listing is public for the time in the settings of the installation', async () => {
    const { state, expiresAt, publishedAt } = await records.stored(await approved());
    expect([state, Number(expiresAt) - Number(publishedAt)]).toEqual(['active', 30 * day]);
  });

  test('an immaterial change of a listing in review keeps it in review', async () => {
    const { id } = await owner.listing();
    await publish(id, owner);
    const price = { amount: 1, currency: 'EUR' };
    const { listing } = await owner.updateListing({ listingId: id, price });
    expect(listing).toMatchObject({ state: 'PENDING_REVIEW' });
  });

  test('a material change of a published listing waits for review, and a price changes immediately', async () => {
    const id = await approved();
    const before = await records.copyOf(id);
    const price = { amount: 7, currency: 'EUR' };
    const change = { title: 'Not reviewed', price, attributes: { mileageKm: 9 } };
    const { listing } = await owner.updateListing({ listingId: id, ...change });
    const revisions = { revision: 2, publishedRevision: 1 };
    expect(listing).toMatchObject({ title: 'Not reviewed', state: 'ACTIVE', ...revisions });
    expect(await records.copyOf(id)).toMatchObject({
      title: before?.title,
      price: { amount: 7 },
      attributes: { mileageKm: 9, make: 'skoda' },
    });
  });

  test('a paused listing is published without review unless it was changed', async () => {
    const id = await approved();
    await owner.pauseListing({ listingId: id });
    expect(await publish(id, owner)).toMatchObject({ listing: { state: 'ACTIVE' } });
    await owner.pauseListing({ listingId: id });
    await owner.updateListing({ listingId: id, title: 'Changed while paused' });
    expect(await publish(id, owner)).toMatchObject({ listing: { state: 'PENDING_REVIEW' } });
    expect(await records.copyOf(id)).toBeNull();
  });
});
