import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { isAllowed, listingStates } from './states.ts';

const world = product();
const { market } = world;
interface Caller {
  token: string;
}
const shown =
  'listing { state version reservation { until } sale { soldAt channel price { amount currency } buyerUserId } }';
const run = (source: string, input: object, by: Caller) =>
  world.stack.execute(source, { input }, { as: by.token, installation: market.installation });
const sell = (listingId: string, by: Caller, more: object = {}) =>
  run(
    `mutation ($input: MarkListingSoldInput!) { markListingSold(input: $input) { ${shown} } }`,
    { listingId, ...more },
    by,
  );
const pause = (listingId: string, by: Caller, more: object = {}) =>
  run(
    `mutation ($input: PauseListingInput!) { pauseListing(input: $input) { ${shown} } }`,
    { listingId, ...more },
    by,
  );
const copyOf = (id: string) => scoped(CatalogListingModel, market.installation.id).findOne({ _id: id });
const put = (id: string, set: Partial<ListingRecord>) =>
  scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: set });

describe('a sale', () => {
  test('says when, where, for how much and to whom, and takes the listing from the public', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const price = { amount: 990_000, currency: 'EUR' };
    const { data } = await sell(id, anna, { price, buyerUserId: buyer.id });
    expect(data?.markListingSold.listing).toEqual({
      state: 'SOLD',
      version: 3,
      reservation: null,
      sale: { soldAt: expect.any(String), channel: 'PLATFORM', price, buyerUserId: buyer.id },
    });
    expect(await copyOf(id)).toBeNull();
  });

  test('needs no further words, ends a reservation, and can be taken back', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const until = new Date(world.stack.platform.now() + 3_600_000);
    const reservation = { until, conversationId: null, buyerUserId: null, paymentId: null };
    await put(id, { state: 'reserved', reservation });
    expect((await sell(id, anna)).data?.markListingSold.listing).toMatchObject({
      state: 'SOLD',
      reservation: null,
      sale: { channel: 'ELSEWHERE', price: null, buyerUserId: null },
    });
    const publish = `mutation ($input: PublishListingInput!) { publishListing(input: $input) { ${shown} } }`;
    expect((await run(publish, { listingId: id }, anna)).data?.publishListing.listing).toMatchObject({
      state: 'ACTIVE',
      sale: null,
    });
  });

  test('names a buyer who exists here and is not the seller, and a real price: all faults at once', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const foreigner = await (await world.neighbour()).user();
    const price = { amount: -1, currency: 'XQX' };
    for (const buyerUserId of [foreigner.id, newId('user'), anna.id]) {
      const problem = problemOf(await sell(id, anna, { price, buyerUserId }));
      expect(problem).toMatchObject({ code: 'validation_failed', status: 422 });
      expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
        '#/price/amount',
        '#/price/currency',
        '#/buyerUserId',
      ]);
    }
  });

  test('by ten at once is one; with one key it answers the same', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const results = await Promise.all(Array.from({ length: 10 }, () => sell(id, anna)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'invalid_transition' });
    const other = await anna.listing({ published: true });
    const key = { idempotencyKey: unique('key') };
    const first = await sell(other.id, anna, key);
    expect(first.errors).toBeUndefined();
    expect((await sell(other.id, anna, key)).data).toEqual(first.data);
  });
});

describe('a pause', () => {
  test('takes a listing from the public, and publication brings it back with the time it had left', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const before = await copyOf(id);
    expect((await pause(id, anna)).data?.pauseListing.listing).toMatchObject({ state: 'PAUSED', version: 3 });
    expect(await copyOf(id)).toBeNull();
    const publish = `mutation ($input: PublishListingInput!) { publishListing(input: $input) { ${shown} } }`;
    expect((await run(publish, { listingId: id }, anna)).errors).toBeUndefined();
    const after = await copyOf(id);
    expect(after).toMatchObject({ slug: before?.slug, expiresAt: before?.expiresAt });
  });

  test('with one key answers the same again', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const key = { idempotencyKey: unique('key') };
    const first = await pause(id, anna, key);
    expect((await pause(id, anna, key)).data).toEqual(first.data);
    expect(problemOf(await pause(id, anna))).toMatchObject({ code: 'invalid_transition', status: 409 });
  });

  test('of what has expired is refused, though no job has come by yet', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await put(id, { expiresAt: new Date(world.stack.platform.now() - 1) });
    expect(problemOf(await pause(id, anna))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'expired' },
    });
  });
});

test.each(listingStates)('from %s only what the state machine knows is done', async (state) => {
  const anna = await market.user();
  for (const [act, to, trigger] of [
    [sell, 'sold', 'markListingSold'],
    [pause, 'paused', 'pauseListing'],
  ] as const) {
    const { id } = await anna.listing();
    await put(id, { state });
    const result = await act(id, anna);
    if (isAllowed(state, to, trigger)) expect(result.errors).toBeUndefined();
    else expect(problemOf(result)).toMatchObject({ code: 'invalid_transition', status: 409 });
  }
});

test('only the owner sells and pauses', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  for (const by of [await market.user(), await market.staff('moderator')])
    for (const result of [await sell(id, by), await pause(id, by)])
      expect(problemOf(result)).toMatchObject({ code: 'ownership_required', status: 403 });
  expect(await copyOf(id)).not.toBeNull();
});
