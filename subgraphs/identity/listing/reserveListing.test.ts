import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { DealerModel } from '../dealer/model.ts';
import { UserModel } from '../user/model.ts';
import { endReservations } from './endReservations.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { listingStates } from './states.ts';

const world = product();
const { market } = world;
const minute = 60 * 1000;
const hour = 60 * minute;
const day = 24 * hour;

interface Caller {
  token: string;
}
const shown = 'listing { id state version reservation { until conversationId buyerUserId paymentId } }';
const run = (source: string, input: object, by: Caller) =>
  world.stack.execute(source, { input }, { as: by.token, installation: market.installation });
const reserve = (listingId: string, by: Caller, input: object = {}) =>
  run(
    `mutation ($input: ReserveListingInput!) { reserveListing(input: $input) { ${shown} } }`,
    { listingId, until: inMs(day), ...input },
    by,
  );
const release = (listingId: string, by: Caller, more: object = {}) =>
  run(
    `mutation ($input: ReleaseListingReservationInput!) { releaseListingReservation(input: $input) { ${shown} } }`,
    { listingId, ...more },
    by,
  );
const inMs = (time: number) => new Date(world.stack.platform.now() + time).toISOString();
const stored = (id: string) => scoped(ListingModel, market.installation.id).findOne({ _id: id });
const copyOf = (id: string) => scoped(CatalogListingModel, market.installation.id).findOne({ _id: id });
const put = (id: string, set: Partial<ListingRecord>) =>
  scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: set });
const held = (overrides: Partial<NonNullable<ListingRecord['reservation']>> = {}) => ({
  state: 'reserved' as const,
  reservation: {
    until: new Date(world.stack.platform.now() + day),
    conversationId: null,
    buyerUserId: null,
    paymentId: null,
    ...overrides,
  },
});

describe('a reservation', () => {
  test('holds a published listing for a buyer, which stays in the catalogue', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const until = inMs(30 * day);
    const { data } = await reserve(id, anna, { until, buyerUserId: buyer.id });
    expect(data?.reserveListing.listing).toEqual({
      id,
      state: 'RESERVED',
      version: 3,
      reservation: { until, buyerUserId: buyer.id, conversationId: null, paymentId: null },
    });
    const [listing, copy] = [await stored(id), await copyOf(id)];
    expect(copy?.updatedAt).toEqual(listing?.updatedAt);
  });

  test('by fifty at once is made once, and the others are told so', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const untils = Array.from({ length: 50 }, (_, index) => inMs(day + index * hour));
    const results = await Promise.all(untils.map((until) => reserve(id, anna, { until })));
    const winners = results.filter(({ errors }) => !errors);
    expect(winners).toHaveLength(1);
    const refusals = results.filter(({ errors }) => errors).map((result) => problemOf(result));
    for (const problem of refusals) expect(problem).toMatchObject({ code: 'already_reserved', status: 409 });
    const listing = await stored(id);
    expect(listing).toMatchObject({ state: 'reserved', version: 3 });
    expect(listing?.reservation?.until.toISOString()).toBe(
      winners[0]?.data?.reserveListing.listing.reservation.until,
    );
  });

  test('ends in the future, within 30 days', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    for (const until of [inMs(-1), inMs(0), inMs(30 * day + hour)])
      expect(problemOf(await reserve(id, anna, { until }))).toMatchObject({
        code: 'validation_failed',
        status: 422,
        errors: [{ pointer: '#/until' }],
      });
    expect(await stored(id)).toMatchObject({ state: 'active', version: 2 });
  });

  test('names nobody and nothing that does not exist here, nor the seller, and says so all at once', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const foreigner = await (await world.neighbour()).user();
    const gone = await market.user();
    await scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: gone.id },
      { $set: { state: 'deleted' } },
    );
    const details = new Set<string>();
    for (const buyerUserId of [foreigner.id, gone.id, newId('user'), 'nobody', '']) {
      const problem = problemOf(await reserve(id, anna, { buyerUserId, conversationId: newId('listing') }));
      expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['#/conversationId', '#/buyerUserId']);
      details.add(JSON.stringify(problem.errors));
    }
    expect(details.size).toBe(1);
    expect(problemOf(await reserve(id, anna, { buyerUserId: anna.id })).errors).toMatchObject([
      { pointer: '#/buyerUserId', code: 'validation_failed' },
    ]);
  });

  test.each(listingStates.filter((state) => state !== 'active' && state !== 'reserved'))(
    'is refused from %s',
    async (state) => {
      const anna = await market.user();
      const { id } = await anna.listing();
      await put(id, { state });
      expect(problemOf(await reserve(id, anna))).toMatchObject({ code: 'invalid_transition', status: 409 });
    },
  );

  test('and its end are refused at another version than the one that was meant', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const stale = { expectedVersion: 1 };
    expect(problemOf(await reserve(id, anna, stale))).toMatchObject({
      code: 'precondition_failed',
      status: 412,
    });
    // The version comes before the state.
    expect(problemOf(await release(id, anna, stale))).toMatchObject({ code: 'precondition_failed' });
    expect((await reserve(id, anna, { expectedVersion: 2 })).errors).toBeUndefined();
    expect((await release(id, anna, { expectedVersion: 3 })).errors).toBeUndefined();
  });

  test('and its end belong to the owner, and wait while the dealer is suspended', async () => {
    const [dealer, stranger] = [await market.dealer(), await market.user()];
    const moderator = await market.staff('moderator');
    const { id } = await dealer.listing({ published: true });
    for (const by of [stranger, moderator])
      for (const result of [await reserve(id, by), await release(id, by)])
        expect(problemOf(result)).toMatchObject({ code: 'ownership_required', status: 403 });
    const change = { $set: { state: 'suspended' as const } };
    await scoped(DealerModel, market.installation.id).findOneAndUpdate({ _id: dealer.id }, change);
    for (const result of [await reserve(id, dealer.owner), await release(id, dealer.owner)])
      expect(problemOf(result)).toMatchObject({ code: 'dealer_not_active', status: 403 });
  });
});

describe('the end of a reservation', () => {
  test('comes when the owner releases it, once', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await reserve(id, anna);
    const { data } = await release(id, anna);
    expect(data?.releaseListingReservation.listing).toEqual({
      id,
      state: 'ACTIVE',
      version: 4,
      reservation: null,
    });
    expect(await copyOf(id)).toMatchObject({ updatedAt: (await stored(id))?.updatedAt });
    expect(problemOf(await release(id, anna))).toMatchObject({ code: 'invalid_transition', status: 409 });
  });

  test('is refused while a payment holds it, also to the job', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await put(id, held({ paymentId: 'pay_1', until: new Date(world.stack.platform.now() - hour) }));
    expect(problemOf(await release(id, anna))).toMatchObject({ code: 'reserved_with_payment', status: 409 });
    await world.stack.runJob(endReservations.name);
    expect(await stored(id)).toMatchObject({ state: 'reserved', reservation: { paymentId: 'pay_1' } });
  });

  test('comes by itself when its time has passed, not before, and another one may follow', async () => {
    const anna = await market.user();
    const [over, running] = [
      await anna.listing({ published: true }),
      await anna.listing({ published: true }),
    ];
    await reserve(over.id, anna, { until: inMs(2 * minute) });
    await reserve(running.id, anna, { until: inMs(20 * minute) });
    world.stack.advance(5 * minute);
    await Promise.all([world.stack.runJob(endReservations.name), world.stack.runJob(endReservations.name)]);
    const listing = await stored(over.id);
    expect(listing).toMatchObject({ state: 'active', reservation: null, version: 4 });
    expect(await copyOf(over.id)).toMatchObject({ updatedAt: listing?.updatedAt });
    expect(await stored(running.id)).toMatchObject({ state: 'reserved', version: 3 });
    expect((await reserve(over.id, anna)).errors).toBeUndefined();
  });

  test('does not wait for the job', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await reserve(id, anna, { until: inMs(2 * minute) });
    world.stack.advance(5 * minute);
    expect(problemOf(await release(id, anna))).toMatchObject({ code: 'invalid_transition' });
    expect((await reserve(id, anna)).data?.reserveListing.listing).toMatchObject({ state: 'RESERVED' });
    await world.stack.runJob(endReservations.name);
    expect(await stored(id)).toMatchObject({ state: 'reserved' });
  });

  test('frees hundreds in one run', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const template = await stored(id);
    if (!template) throw new Error('The listing is not there.');
    const listings = scoped(ListingModel, market.installation.id);
    const { installationId: _, stockNumber: __, ...members } = template;
    const past = held({ until: new Date(world.stack.platform.now() - hour) });
    const many = Array.from({ length: 450 }, () => ({ ...members, ...past, _id: newId('listing') }));
    await listings.insertAbsent(many as unknown as Parameters<typeof listings.insertAbsent>[0]);
    await world.stack.runJob(endReservations.name);
    expect(await listings.count({ 'owner.id': anna.id, state: 'active' })).toBe(451);
  });
});
