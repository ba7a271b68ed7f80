import { concurrently } from '../../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../../test/support/product.ts';
import { newId } from '../../../../platform/ids/newId.ts';
import { recordsOf } from '../fixture/recordsOf.ts';

const { market, neighbour, stack } = product();
const { put, copyOf } = recordsOf(market);
let id: string;

const anna = perTest(() => market.user());
beforeEach(async () => {
  ({ id } = await anna.listing({ published: true }));
});

test('a sale records time, channel, price and buyer and hides the listing', async () => {
  const buyer = await market.user();
  const price = { amount: 990_000, currency: 'EUR' };
  const sale = { price, buyerUserId: buyer.id };
  const { listing } = await anna.markListingSold({ listingId: id, ...sale });
  expect(listing).toMatchObject({
    state: 'SOLD',
    version: 3,
    reservation: null,
    sale: { ...sale, soldAt: expect.any(String), channel: 'PLATFORM' },
  });
  expect(await copyOf(id)).toBeNull();
});

test('a sale without details ends a reservation, and a publication reverts the sale', async () => {
  const until = new Date(stack.platform.now() + 3_600_000);
  const reservation = { until, conversationId: null, buyerUserId: null, paymentId: null };
  await put(id, { state: 'reserved', reservation });
  const sold = await anna.markListingSold({ listingId: id });
  expect(sold.listing).toMatchObject({
    state: 'SOLD',
    reservation: null,
    sale: { channel: 'ELSEWHERE', price: null, buyerUserId: null },
  });
  const { listing } = await anna.publishListing({ listingId: id });
  expect(listing).toMatchObject({ state: 'ACTIVE', sale: null });
});

test('a sale to the seller or an unknown buyer, or at an invalid price, is refused', async () => {
  const foreigner = await (await neighbour()).user();
  const price = { amount: -1, currency: 'XQX' };
  for (const buyerUserId of [foreigner.id, newId('user'), anna.id]) {
    const answer = await anna.markListingSold({ listingId: id, price, buyerUserId });
    expect(answer).toBeInvalid('#/price/amount', '#/price/currency', '#/buyerUserId');
  }
});

test('one of ten concurrent sales succeeds', async () => {
  const answers = await concurrently(10, () => anna.markListingSold({ listingId: id }));
  expect(answers).toBeRefusedTimes(9, 409, 'invalid_transition');
});

test('a pause hides a listing, and a publication shows it again with its earlier expiry', async () => {
  const before = await copyOf(id);
  const { listing } = await anna.pauseListing({ listingId: id });
  expect(listing).toMatchObject({ state: 'PAUSED', version: 3 });
  expect(await copyOf(id)).toBeNull();
  await anna.publishListing({ listingId: id });
  expect(await copyOf(id)).toMatchObject({
    slug: before?.slug,
    publishedAt: before?.publishedAt,
    expiresAt: before?.expiresAt,
  });
});

test('a pause of an expired listing is refused before the job has expired it', async () => {
  await put(id, { expiresAt: new Date(stack.platform.now() - 1) });
  const expired = { allowedFrom: { state: 'expired' } };
  expect(await anna.pauseListing({ listingId: id })).toBeRefused(409, 'invalid_transition', expired);
});
