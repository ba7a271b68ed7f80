import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { buildIdentity } from '../server.ts';
import { ListingModel, type ListingRecord } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation();
});
afterAll(() => stack.close());

interface Caller {
  token: string;
}
const run = (source: string, input: object, by: Caller) =>
  stack.execute(source, { input }, { as: by.token, installation: shop.installation });
const archive = (listingId: string, by: Caller, more: object = {}) =>
  run(
    'mutation ($input: ArchiveListingInput!) { archiveListing(input: $input) { archivedListingId removed } }',
    { listingId, ...more },
    by,
  );
const stored = (id: string) => scoped(ListingModel, shop.installation.id).findOne({ _id: id });
const copyOf = (id: string) => scoped(CatalogListingModel, shop.installation.id).findOne({ _id: id });
const put = (id: string, set: Partial<ListingRecord>) =>
  scoped(ListingModel, shop.installation.id).findOneAndUpdate({ _id: id }, { $set: set });
const heldBy = (paymentId: string | null): Partial<ListingRecord> => ({
  state: 'reserved',
  reservation: {
    until: new Date(stack.platform.now() + 3_600_000),
    conversationId: null,
    buyerUserId: null,
    paymentId,
  },
});

test('a draft that was never published is removed, and its stock number is free again', async () => {
  const dealer = await shop.dealer();
  const { id } = await dealer.listing({ stockNumber: 'A-1' });
  expect((await archive(id, dealer.owner)).data?.archiveListing).toEqual({
    archivedListingId: id,
    removed: true,
  });
  expect(await stored(id)).toBeNull();
  expect(problemOf(await archive(id, dealer.owner))).toMatchObject({ code: 'not_found', status: 404 });
  await expect(dealer.listing({ stockNumber: 'A-1' })).resolves.toBeDefined();
});

test('what was published is kept, unseen, also when it is a draft again', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  expect((await archive(id, anna)).data?.archiveListing).toEqual({ archivedListingId: id, removed: false });
  expect(await stored(id)).toMatchObject({ state: 'archived', stateReason: null, version: 3 });
  expect(await copyOf(id)).toBeNull();
  expect(problemOf(await archive(id, anna))).toMatchObject({
    code: 'invalid_transition',
    status: 409,
    allowedFrom: { state: 'archived', allowed: [] },
  });
  const again = await anna.listing({ published: true });
  await put(again.id, { state: 'draft' });
  expect((await archive(again.id, anna)).data?.archiveListing).toMatchObject({ removed: false });
});

test.each(['pending_review', 'paused', 'sold', 'expired', 'rejected'] as const)(
  'a listing can be put away from %s',
  async (state) => {
    const anna = await shop.user();
    const { id } = await anna.listing();
    await put(id, { state });
    expect((await archive(id, anna)).data?.archiveListing).toMatchObject({ removed: false });
    expect(await stored(id)).toMatchObject({ state: 'archived' });
  },
);

test('what has changed since it was read is not put away', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  expect(problemOf(await archive(id, anna, { expectedVersion: 1 }))).toMatchObject({
    code: 'precondition_failed',
    status: 412,
  });
  expect((await archive(id, anna, { expectedVersion: 2 })).errors).toBeUndefined();
});

test('a reservation prevents it only while a payment holds it', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  await put(id, heldBy('pay_1'));
  expect(problemOf(await archive(id, anna))).toMatchObject({ code: 'reserved_with_payment', status: 409 });
  expect(await copyOf(id)).not.toBeNull();
  await put(id, heldBy(null));
  expect((await archive(id, anna)).errors).toBeUndefined();
  expect(await stored(id)).toMatchObject({ state: 'archived', reservation: null });
});

test('of a removal and a publication at once one happens, whole', async () => {
  const anna = await shop.user();
  const publish =
    'mutation ($input: PublishListingInput!) { publishListing(input: $input) { listing { id } } }';
  for (let round = 0; round < 5; round += 1) {
    const { id } = await anna.listing();
    const results = await Promise.all([run(publish, { listingId: id }, anna), archive(id, anna)]);
    expect(results[1].errors).toBeUndefined();
    // Put away after it was published, or removed before it could be.
    const listing = await stored(id);
    expect(listing?.state).toBe(results[0].errors ? undefined : 'archived');
    expect(await copyOf(id)).toBeNull();
  }
});

test('strangers, moderators and other installations put nothing away', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing();
  for (const by of [await shop.user(), await shop.staff('moderator')])
    expect(problemOf(await archive(id, by))).toMatchObject({ code: 'ownership_required', status: 403 });
  expect(problemOf(await archive(newId('listing'), anna))).toMatchObject({ code: 'not_found', status: 404 });
  expect(await stored(id)).toMatchObject({ state: 'draft', version: 1 });
});
