import { perTest, product } from '../../../../../test/support/product.ts';
import { isRefused } from '../../../../../test/support/Refusal.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import type { ListingRecord } from '../record/model.ts';

const { market } = product();
const { listings, stored, put } = recordsOf(market);
const anna = perTest(() => market.seller());

const reservedFor = (paymentId: string | null): Partial<ListingRecord> => ({
  state: 'reserved',
  reservation: {
    until: new Date(Date.now() + 3_600_000),
    conversationId: null,
    buyerUserId: null,
    paymentId,
  },
});

test('archiving a draft that was never published deletes it and frees its stock number', async () => {
  const { owner, ...dealer } = await market.dealer();
  const { id } = await dealer.listing({ stockNumber: 'A-1' });
  const answer = await owner.archiveListing({ listingId: id });
  expect(answer).toEqual({ archivedListingId: id, removed: true });
  expect(await listings().count({ _id: id })).toBe(0);
  expect(await owner.archiveListing({ listingId: id })).toBeRefused(404, 'not_found');
  expect((await dealer.listing({ stockNumber: 'A-1' })).id).not.toBe(id);
});

test('archiving a published listing keeps it and hides it', async () => {
  const { id } = await anna.listing({ published: true });
  const answer = await anna.archiveListing({ listingId: id });
  expect(answer).toEqual({ archivedListingId: id, removed: false });
  expect(await stored(id)).toMatchObject({ state: 'archived', stateReason: null, version: 3 });
  expect(await market.visitor.catalogListing({ listingId: id })).toBeNull();
  expect(await anna.archiveListing({ listingId: id })).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'archived', allowed: [] },
  });
});

test('archiving a draft that was published before keeps it', async () => {
  const { id } = await anna.listing({ published: true });
  await put(id, { state: 'draft' });
  expect(await anna.archiveListing({ listingId: id })).toMatchObject({ removed: false });
});

test('a reservation prevents archiving only while a payment holds it', async () => {
  const { id } = await anna.listing({ published: true });
  await put(id, reservedFor('pay_1'));
  expect(await anna.archiveListing({ listingId: id })).toBeRefused(409, 'reserved_with_payment');
  expect(await market.visitor.catalogListing({ listingId: id }, 'id')).toEqual({ id });
  await put(id, reservedFor(null));
  expect(await anna.archiveListing({ listingId: id })).not.toBeRefused();
  expect(await stored(id)).toMatchObject({ state: 'archived', reservation: null });
});

test('archiving and publishing concurrently results in a hidden listing that is archived or deleted', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await anna.listing();
    const [published, archived] = await Promise.all([
      anna.publishListing({ listingId: id }),
      anna.archiveListing({ listingId: id }),
    ]);
    expect(archived).not.toBeRefused();
    const [record] = await listings().find({ _id: id });
    expect(record?.state).toBe(isRefused(published) ? undefined : 'archived');
    expect(await market.visitor.catalogListing({ listingId: id })).toBeNull();
  }
});
