import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { DealerModel } from '../dealer/model.ts';
import { UserModel } from '../user/model.ts';
import { ListingModel, type ListingRecord } from './model.ts';

const world = product();
const { market } = world;
const day = 24 * 3600 * 1000;

let reviewed: SeededInstallation;

beforeAll(async () => {
  reviewed = await seed(world.stack).installation({ settings: { moderation: 'pre', listingLifeDays: 30 } });
});

const fields = 'id state stateReason slug url publishedAt expiresAt revision publishedRevision version';
const publish = `mutation ($input: PublishListingInput!) { publishListing(input: $input) { listing { ${fields} } } }`;
const update = `mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { ${fields} title } } }`;

const run = (source: string, input: object, by: { token: string }, at = market) =>
  world.stack.execute(source, { input }, { as: by.token, installation: at.installation });
const publishing = (listingId: string, by: { token: string }, at = market, more: object = {}) =>
  run(publish, { listingId, ...more }, by, at);
const published = async (listingId: string, by: { token: string }, at = market) => {
  const result = await publishing(listingId, by, at);
  if (result.errors) throw result.errors[0];
  return result.data?.publishListing.listing;
};
const setState = (id: string, set: Partial<ListingRecord>, at = market) =>
  scoped(ListingModel, at.installation.id).findOneAndUpdate({ _id: id }, { $set: set });
const soldAt = (time: number): ListingRecord['sale'] => ({
  soldAt: new Date(time),
  channel: 'elsewhere',
  price: null,
  buyerUserId: null,
});
const copyOf = (id: string, at = market) =>
  scoped(CatalogListingModel, at.installation.id).findOne({ _id: id });

describe('publishing', () => {
  test('shows a complete draft to everybody, under an address that stays', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ title: 'Škoda Octavia RS' });
    const listing = await published(id, anna);
    expect(listing).toMatchObject({ state: 'ACTIVE', revision: 1, publishedRevision: 1, version: 2 });
    expect(listing.slug).toBe(`skoda-octavia-rs-${id.slice(-10).toLowerCase()}`);
    expect(listing.url).toBe(`${market.installation.baseUrl}/listings/${listing.slug}`);
    const life = Date.parse(listing.expiresAt) - Date.parse(listing.publishedAt);
    expect(life).toBe(60 * day);
    expect(await copyOf(id)).toMatchObject({ slug: listing.slug, title: 'Škoda Octavia RS' });
    const { data } = await run(update, { listingId: id, title: 'Skoda Superb' }, anna);
    expect(data?.updateListing.listing).toMatchObject({
      slug: listing.slug,
      revision: 2,
      publishedRevision: 2,
    });
    expect(await copyOf(id)).toMatchObject({ slug: listing.slug, title: 'Skoda Superb' });
  });

  test('names everything that is missing', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({
      title: null,
      price: null,
      location: { postalCode: '1' },
      attributes: { make: 'vw' },
    });
    const problem = problemOf(await publishing(id, anna));
    expect(problem).toMatchObject({ code: 'listing_incomplete', status: 422 });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
      '#/title',
      '#/price',
      '#/location/city',
      '#/location/country',
      ...['model', 'firstRegistration', 'mileageKm', 'fuel', 'transmission'].map(
        (name) => `#/attributes/${name}`,
      ),
    ]);
    expect(await copyOf(id)).toBeNull();
  });

  test('what is published already is a conflict that says what is possible', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    expect(problemOf(await publishing(id, anna))).toMatchObject({
      code: 'invalid_transition',
      status: 409,
      allowedFrom: {
        state: 'active',
        allowed: ['paused', 'reserved', 'sold', 'expired', 'rejected', 'archived'],
      },
    });
  });

  test.each(['reserved', 'expired', 'archived', 'pending_review'] as const)(
    'is refused from %s',
    async (state) => {
      const anna = await market.user();
      const { id } = await anna.listing();
      await setState(id, { state });
      expect(problemOf(await publishing(id, anna))).toMatchObject({ code: 'invalid_transition' });
    },
  );

  test('by fifty at once publishes once and leaves one copy', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    const results = await Promise.all(Array.from({ length: 50 }, () => publishing(id, anna)));
    const winners = results.filter(({ errors }) => !errors);
    expect(winners).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(['invalid_transition', 'concurrent_update']).toContain(problemOf(result).code);
    expect(await scoped(ListingModel, market.installation.id).findOne({ _id: id })).toMatchObject({
      state: 'active',
      version: 2,
    });
    expect(await scoped(CatalogListingModel, market.installation.id).count({ _id: id })).toBe(1);
  });

  test('with one idempotency key answers the same again', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    const key = { idempotencyKey: unique('key') };
    const first = await publishing(id, anna, market, key);
    expect((await publishing(id, anna, market, key)).data).toEqual(first.data);
  });

  test('brings back what was paused with the time it had left, and what was sold within seven days', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const before = await scoped(ListingModel, market.installation.id).findOne({ _id: id });
    await setState(id, { state: 'paused' });
    expect(await published(id, anna)).toMatchObject({
      state: 'ACTIVE',
      publishedAt: before?.publishedAt?.toISOString(),
      expiresAt: before?.expiresAt?.toISOString(),
    });
    const now = world.stack.platform.now();
    await setState(id, { state: 'sold', sale: soldAt(now - 6 * day) });
    expect(await published(id, anna)).toMatchObject({ state: 'ACTIVE' });
    await setState(id, { state: 'sold', sale: soldAt(now - 8 * day) });
    expect(problemOf(await publishing(id, anna))).toMatchObject({ code: 'invalid_transition' });
  });
});

describe('publishing is refused', () => {
  test('to a stranger, another owner, and across installations', async () => {
    const [anna, berta] = [await market.user(), await market.user()];
    const other = await world.neighbour();
    const moderator = await market.staff('moderator');
    const foreigner = await other.user();
    const { id } = await anna.listing();
    const anonymous = await world.stack.execute(
      publish,
      { input: { listingId: id } },
      { installation: market.installation },
    );
    expect(problemOf(anonymous)).toMatchObject({ code: 'token_missing', status: 401 });
    for (const by of [berta, moderator])
      expect(problemOf(await publishing(id, by))).toMatchObject({ code: 'ownership_required', status: 403 });
    expect(problemOf(await publishing(id, foreigner, other))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect(problemOf(await publishing('lst_x', anna))).toMatchObject({ code: 'not_found' });
  });

  test('to the unverified, and for a dealer that is not active', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    await scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: anna.id },
      { $set: { emailVerified: false } },
    );
    world.stack.platform.forgetPrincipal({ userId: anna.id });
    expect(problemOf(await publishing(id, anna))).toMatchObject({ code: 'email_unverified', status: 403 });
    for (const state of ['onboarding', 'suspended', 'closing'] as const) {
      const dealer = await market.dealer();
      const car = await dealer.listing();
      await scoped(DealerModel, market.installation.id).findOneAndUpdate(
        { _id: dealer.id },
        { $set: { state } },
      );
      expect(problemOf(await publishing(car.id, dealer.owner))).toMatchObject({
        code: 'dealer_not_active',
        status: 403,
      });
    }
  });

  test('beyond the dealer’s limit, also when the last places are asked for at once', async () => {
    const dealer = await market.dealer({ limits: { maxActiveListings: 3 } });
    const cars = [];
    for (let index = 0; index < 8; index += 1) cars.push(await dealer.listing());
    const results = await Promise.all(cars.map(({ id }) => publishing(id, dealer.owner)));
    const refused = results.filter(({ errors }) => errors).map((result) => problemOf(result).code);
    expect(results.filter(({ errors }) => !errors).length).toBeLessThanOrEqual(3);
    for (const code of refused) expect(['quota_exceeded', 'concurrent_update']).toContain(code);
    for (const { id } of cars) await publishing(id, dealer.owner);
    const active = await scoped(ListingModel, market.installation.id).count({
      'owner.id': dealer.id,
      state: 'active',
    });
    expect(active).toBe(3);
    expect(problemOf(await publishing((await dealer.listing()).id, dealer.owner))).toMatchObject({
      code: 'quota_exceeded',
      status: 403,
    });
  });
});

describe('where listings are reviewed first', () => {
  const approve = async (id: string, revision: number) =>
    setState(
      id,
      {
        moderation: {
          id: newId('decision'),
          decision: 'approved',
          reasonCodes: [],
          statement: null,
          decidedAt: new Date(),
          revision,
          appealUntil: null,
        },
      },
      reviewed,
    );
  /** A listing that went through review. */
  const approved = async (by: SeededUser): Promise<string> => {
    const { id } = await by.listing();
    await approve(id, 1);
    await published(id, by, reviewed);
    return id;
  };

  test('publication leads to review, and nothing is shown', async () => {
    const anna = await reviewed.user();
    const { id } = await anna.listing();
    expect(await published(id, anna, reviewed)).toMatchObject({
      state: 'PENDING_REVIEW',
      slug: null,
      publishedAt: null,
      publishedRevision: null,
    });
    expect(await copyOf(id, reviewed)).toBeNull();
    expect(problemOf(await publishing(id, anna, reviewed))).toMatchObject({ code: 'invalid_transition' });
  });

  test('a revision that was approved goes live at once, for as long as the installation says', async () => {
    const anna = await reviewed.user();
    const id = await approved(anna);
    const listing = await scoped(ListingModel, reviewed.installation.id).findOne({ _id: id });
    expect(listing?.state).toBe('active');
    expect((listing?.expiresAt?.getTime() ?? 0) - (listing?.publishedAt?.getTime() ?? 0)).toBe(30 * day);
  });

  test('editing what is in review takes it back, unless nothing is to be reviewed', async () => {
    const anna = await reviewed.user();
    const { id } = await anna.listing();
    await published(id, anna, reviewed);
    const price = { listingId: id, price: { amount: 1, currency: 'EUR' } };
    expect((await run(update, price, anna, reviewed)).data?.updateListing.listing.state).toBe(
      'PENDING_REVIEW',
    );
    const title = { listingId: id, title: 'Another title' };
    expect((await run(update, title, anna, reviewed)).data?.updateListing.listing).toMatchObject({
      state: 'DRAFT',
      revision: 2,
    });
  });

  test('a material change waits while what was published stays, and a price changes at once', async () => {
    const anna = await reviewed.user();
    const id = await approved(anna);
    const before = await copyOf(id, reviewed);
    const change = {
      listingId: id,
      title: 'Not reviewed',
      price: { amount: 7, currency: 'EUR' },
      attributes: { mileageKm: 9 },
    };
    expect((await run(update, change, anna, reviewed)).data?.updateListing.listing).toMatchObject({
      title: 'Not reviewed',
      state: 'ACTIVE',
      revision: 2,
      publishedRevision: 1,
    });
    expect(await copyOf(id, reviewed)).toMatchObject({
      title: before?.title,
      price: { amount: 7 },
      attributes: { mileageKm: 9, make: 'skoda' },
    });
  });

  test('what was paused and changed goes to review again', async () => {
    const anna = await reviewed.user();
    const id = await approved(anna);
    await setState(id, { state: 'paused' }, reviewed);
    expect(await published(id, anna, reviewed)).toMatchObject({ state: 'ACTIVE' });
    await setState(id, { state: 'paused' }, reviewed);
    await run(update, { listingId: id, title: 'Changed while paused' }, anna, reviewed);
    expect(await published(id, anna, reviewed)).toMatchObject({ state: 'PENDING_REVIEW' });
    expect(await copyOf(id, reviewed)).toBeNull();
  });
});
