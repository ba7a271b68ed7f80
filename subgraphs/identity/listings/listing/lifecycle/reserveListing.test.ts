import { perTest, product } from '../../../../../test/support/product.ts';
import { isRefused } from '../../../../../test/support/Refusal.ts';
import { newId } from '../../../../platform/ids/newId.ts';
import { DealerModel } from '../../../people/dealer/model.ts';
import { UserModel } from '../../../people/user/model.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import { endReservations } from './endReservations.ts';

const { market, neighbour, stack } = product();
const { listings, stored, put, copyOf } = recordsOf(market);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
let id: string;

const anna = perTest(() => market.user());
beforeEach(async () => {
  ({ id } = await anna.listing({ published: true }));
});

const inMs = (time: number) => new Date(stack.platform.now() + time).toISOString();
const reserve = (input: object = {}, listingId = id) =>
  anna.reserveListing({ listingId, until: inMs(day), ...input } as never);
const release = () => anna.releaseListingReservation({ listingId: id });
const endOverdue = () => stack.runJob(endReservations.name);
/** The members of a listing whose reservation expired an hour ago. */
const overdue = (paymentId: string | null) => ({
  state: 'reserved' as const,
  reservation: {
    until: new Date(stack.platform.now() - hour),
    conversationId: null,
    buyerUserId: null,
    paymentId,
  },
});

test('a listing that is reserved for a buyer stays in the catalogue until it is released', async () => {
  const buyer = await market.user();
  const until = inMs(30 * day);
  const reserved = await reserve({ until, buyerUserId: buyer.id });
  expect(reserved.listing).toMatchObject({
    state: 'RESERVED',
    version: 3,
    reservation: { until, buyerUserId: buyer.id, conversationId: null, paymentId: null },
  });
  expect(await copyOf(id)).toMatchObject({ updatedAt: (await stored(id)).updatedAt });
  const released = await release();
  expect(released.listing).toMatchObject({ state: 'ACTIVE', version: 4, reservation: null });
  expect(await copyOf(id)).toMatchObject({ updatedAt: (await stored(id)).updatedAt });
});

test('one of fifty concurrent reservations succeeds', async () => {
  const untils = Array.from({ length: 50 }, (_, index) => inMs(day + index * hour));
  const answers = await Promise.all(untils.map((until) => reserve({ until })));
  expect(answers).toBeRefusedTimes(49, 409, 'already_reserved');
  const { state, version, reservation } = await stored(id);
  expect([state, version]).toEqual(['reserved', 3]);
  const winner = answers.findIndex((answer) => !isRefused(answer));
  expect(reservation?.until.toISOString()).toBe(untils[winner]);
});

test('a reservation that ends in the past or after 30 days is refused', async () => {
  for (const time of [-1, 0, 30 * day + hour])
    expect(await reserve({ until: inMs(time) })).toBeInvalid('#/until');
  expect(await stored(id)).toMatchObject({ state: 'active', version: 2 });
});

test('a reservation for the seller, a missing buyer or a missing conversation is refused', async () => {
  const foreigner = await (await neighbour()).user();
  const gone = await market.user();
  const users = market.records(UserModel);
  await users.findOneAndUpdate({ _id: gone.id }, { $set: { state: 'deleted' } });
  const conversationId = newId('listing');
  const detail = 'This user does not exist.';
  const errors = [{ pointer: '#/conversationId' }, { pointer: '#/buyerUserId', detail }];
  for (const buyerUserId of [foreigner.id, gone.id, newId('user'), 'nobody', ''])
    expect(await reserve({ buyerUserId, conversationId })).toBeRefused(422, 'validation_failed', { errors });
  expect(await reserve({ buyerUserId: anna.id })).toBeRefused(422, 'validation_failed', {
    errors: [{ pointer: '#/buyerUserId' }],
  });
});

test('a suspended dealer can neither reserve nor release a listing', async () => {
  const dealer = await market.dealer();
  const { id: listingId } = await dealer.listing({ published: true });
  const dealers = market.records(DealerModel);
  await dealers.findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } });
  const { owner } = dealer;
  const until = inMs(day) as never;
  expect(await owner.reserveListing({ listingId, until })).toBeRefused(403, 'dealer_not_active');
  expect(await owner.releaseListingReservation({ listingId })).toBeRefused(403, 'dealer_not_active');
});

test('a reservation with a payment is ended neither by its owner nor by the job of reservations', async () => {
  await put(id, overdue('pay_1'));
  expect(await release()).toBeRefused(409, 'reserved_with_payment');
  await endOverdue();
  expect(await stored(id)).toMatchObject({ state: 'reserved', reservation: { paymentId: 'pay_1' } });
});

test('a job ends an expired reservation, and the listing can be reserved again', async () => {
  const running = await anna.listing({ published: true });
  await reserve({ until: inMs(2 * minute) });
  await reserve({ until: inMs(20 * minute) }, running.id);
  stack.advance(5 * minute);
  await Promise.all([endOverdue(), endOverdue()]);
  const listing = await stored(id);
  expect(listing).toMatchObject({ state: 'active', reservation: null, version: 4 });
  expect(await copyOf(id)).toMatchObject({ updatedAt: listing.updatedAt });
  expect(await stored(running.id)).toMatchObject({ state: 'reserved', version: 3 });
  expect(await reserve()).not.toBeRefused();
});

test('a reservation has ended at its expiry, even before the job has run', async () => {
  await reserve({ until: inMs(2 * minute) });
  stack.advance(5 * minute);
  expect(await release()).toBeRefused(409, 'invalid_transition');
  expect(await reserve()).toMatchObject({ listing: { state: 'RESERVED' } });
  await endOverdue();
  expect(await stored(id)).toMatchObject({ state: 'reserved' });
});

test('one run of the job of reservations ends hundreds of them', async () => {
  const { installationId: _, stockNumber: __, ...members } = await stored(id);
  const many = Array.from({ length: 450 }, () => ({ ...members, ...overdue(null), _id: newId('listing') }));
  await listings().insertAbsent(many as never);
  await endOverdue();
  expect(await listings().count({ 'owner.id': anna.id, state: 'active' })).toBe(451);
});
