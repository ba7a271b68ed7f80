import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { Refusal } from '../../../../test/support/Refusal.ts';
import { type Caller, type SeededListing } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { askOwner } from '../../../platform/federation/askOwner.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { OwnerModel } from '../../people/seller-standing/model.ts';
import { ensureSellerLock, returnOwner, withdrawOwner } from '../../people/seller-standing/sellerStanding.ts';
import { archiveListings } from '../listing/lifecycle/archiveListings.ts';
import { ListingModel } from '../listing/record/model.ts';
import { CatalogListingModel } from './public-listing/model.ts';
import { catalogOwnersJob, refreshPublicListings } from './refreshPublicListings.ts';

const { neighbour, stack } = product();
// Every test has an installation of its own, so that its catalogue contains no other listings.
const shop = perTest(() => neighbour());
const anna = perTest(() => shop.seller());

const place = () => stack.contextFor({ installation: shop.installation });
const bar = async (ownerId: string) => {
  await ensureSellerLock(place(), ownerId);
  await inTransaction((session) => withdrawOwner(place(), ownerId, session));
};
const allow = (ownerId: string) => inTransaction((session) => returnOwner(place(), ownerId, session));
const settle = (ownerId: string) => refreshPublicListings(place(), ownerId);
const listed = async () => {
  const { nodes } = await shop.visitor.catalogListings({ first: 100 }, 'nodes { id }');
  return nodes.map(({ id }) => id);
};
const shown = ({ id, slug }: SeededListing) =>
  Promise.all([id, slug ?? ''].map((listingId) => shop.visitor.catalogListing({ listingId }, 'id')));
const catalog = () => shop.records(CatalogListingModel);
const listings = () => shop.records(ListingModel);

test('the listings of a barred owner are found in no list, by no address and by no reference', async () => {
  const hers = await anna.listing({ published: true });
  const others = await (await shop.seller()).listing({ published: true });
  await bar(anna.id);
  await settle(anna.id);
  expect(await listed()).toEqual([others.id]);
  expect(await shown(hers)).toEqual([null, null]);
  const source = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on CatalogListing { id } } }';
  const r = [{ __typename: 'CatalogListing', id: hers.id }];
  const { data } = await stack.execute(source, { r }, { installation: shop.installation });
  expect(data?._entities).toEqual([null]);
  expect(await listings().findOne({ _id: hers.id })).toMatchObject({ state: 'active', version: 2 });
});

test('only the owner and the staff can read a listing whose owner is barred', async () => {
  const { id } = await anna.listing({ published: true });
  await bar(anna.id);
  const ask = async ({ token }: Caller) => {
    const variables = { representations: [{ __typename: 'Listing', id }], texts: true, details: false };
    const call = { as: token ?? null, installation: shop.installation };
    return (await stack.execute(askOwner.document, variables, call)).data?._entities[0];
  };
  const other = await ask(await shop.user());
  expect(other).toMatchObject({ viewerCanRead: false, ownerId: null, content: null });
  expect(await ask(anna)).toMatchObject({ viewerCanRead: true, content: { visibility: 'PRIVATE' } });
  expect(await ask(await shop.staff('moderator'))).toMatchObject({ viewerCanRead: true });
});

test('the listings of an owner who is no longer barred are public again, except expired ones', async () => {
  const [live, expired] = [await anna.listing({ published: true }), await anna.listing({ published: true })];
  await bar(anna.id);
  await settle(anna.id);
  const past = new Date(stack.platform.now() - 1);
  await catalog().findOneAndUpdate({ _id: expired.id }, { $set: { expiresAt: past } });
  await allow(anna.id);
  await settle(anna.id);
  expect(await listed()).toEqual([live.id]);
  expect(await shown(live)).toEqual([{ id: live.id }, { id: live.id }]);
});

test('changed and newly published listings of a barred owner stay hidden', async () => {
  const { owner, ...dealer } = await shop.dealer();
  const [old, draft] = [await dealer.listing({ published: true }), await dealer.listing()];
  await bar(dealer.id);
  await settle(dealer.id);
  const updated = await owner.updateListing({ listingId: old.id, title: 'Another title' });
  const published = await owner.publishListing({ listingId: draft.id });
  for (const { listing } of [updated, published]) expect(listing.state).toBe('ACTIVE');
  expect(await listed()).toEqual([]);
  expect(await catalog().count({ 'seller.id': dealer.id, withdrawn: true })).toBe(2);
});

test('a job withdraws the listings of a barred owner if the process ended before it did', async () => {
  await anna.listing({ published: true });
  await bar(anna.id);
  await stack.runJob(catalogOwnersJob.name);
  expect(await listed()).toEqual([]);
  expect(await commandsOf(() => settle(anna.id))).toEqual(['find owners']);
});

test('withdrawing ten listings costs the same commands as withdrawing one', async () => {
  const [one, ten] = [await shop.dealer(), await shop.dealer()];
  await one.listing({ published: true });
  for (let index = 0; index < 10; index += 1) await ten.listing({ published: true });
  const costOf = async (ownerId: string) => {
    await bar(ownerId);
    const commands = await commandsOf(() => settle(ownerId));
    // A timer writes the views that earlier tests have caused.
    return commands.filter((command) => command !== 'update listing_views');
  };
  expect(await costOf(ten.id)).toEqual(await costOf(one.id));
  expect(await listed()).toEqual([]);
});

test('a listing that is published during the suspension of its dealer is not public', async () => {
  for (let round = 0; round < 8; round += 1) {
    const dealer = await shop.dealer();
    const drafts = [await dealer.listing(), await dealer.listing()];
    const suspend = async () => {
      await ensureSellerLock(place(), dealer.id);
      await inTransaction(async (session) => {
        await withdrawOwner(place(), dealer.id, session);
        await shop
          .records(DealerModel)
          .findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } }, { session });
      });
      await settle(dealer.id);
    };
    const [, ...answers] = await Promise.all([
      suspend(),
      ...drafts.map(({ id }) => dealer.owner.publishListing({ listingId: id })),
    ]);
    for (const answer of answers.filter((one) => one instanceof Refusal))
      expect(['dealer_not_active', 'concurrent_update']).toContain(answer.problem?.code);
  }
  expect(await listed()).toEqual([]);
  expect(await catalog().count({ withdrawn: { $ne: true } })).toBe(0);
});

test('the last of twenty concurrent decisions about an owner is applied to all listings', async () => {
  for (let index = 0; index < 3; index += 1) await anna.listing({ published: true });
  await ensureSellerLock(place(), anna.id);
  const unlessOvertaken = (error: { code?: string }) => {
    if (error.code !== 'concurrent_update') throw error;
  };
  const decide = async (index: number) => {
    await (index % 2 ? allow(anna.id) : bar(anna.id)).catch(unlessOvertaken);
    await settle(anna.id).catch(unlessOvertaken);
  };
  await concurrently(20, decide);
  await stack.runJob(catalogOwnersJob.name);
  const owner = await shop.records(OwnerModel).findOne({ _id: anna.id });
  expect(owner?.unsettled).toBe(false);
  expect(await catalog().count({ 'seller.id': anna.id, withdrawn: owner?.withdrawn === true })).toBe(3);
});

test('the listings of a deleted account are archived and no longer public, except sold ones', async () => {
  const [draft, live, sold] = [
    await anna.listing(),
    await anna.listing({ published: true }),
    await anna.listing({ published: true }),
  ];
  await listings().findOneAndUpdate({ _id: sold.id }, { $set: { state: 'sold' } });
  const leave = () => archiveListings(place(), { ownerId: anna.id, reason: 'account_deleted' });
  expect([await leave(), await leave()]).toEqual([2, 0]);
  const archived = { state: 'archived', stateReason: 'account_deleted' };
  for (const { id } of [draft, live]) expect(await listings().findOne({ _id: id })).toMatchObject(archived);
  expect(await listings().findOne({ _id: sold.id })).toMatchObject({ state: 'sold' });
  expect(await shown(live)).toEqual([null, null]);
});
