import { indexesOf } from '../../../test/support/indexesOf.ts';
import { product } from '../../../test/support/product.ts';
import { seed } from '../../../test/support/seed.ts';
import { digestOf } from '../../platform/content/digestOf.ts';
import { EventModel } from '../../platform/events/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { eraseUser } from '../account-deletion/eraseUser.ts';
import { archiveListings } from '../listing/archiveListings.ts';
import { ListingModel } from '../listing/model.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
/** Everything told of an object so far. */
async function told(id: string) {
  await world.stack.runJob('identity.relay');
  return EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
}
const typesOf = async (id: string) => (await told(id)).map(({ type }) => type);
const latest = async (id: string) => (await told(id)).at(-1);
const call = async (source: string, input: object, as: { token: string }) => {
  const result = await world.stack.execute(source, { input }, { as, installation: market.installation });
  expect(result.errors).toBeUndefined();
};
const suspendDealer =
  'mutation ($input: SuspendDealerInput!) { suspendDealer(input: $input) { dealer { id } } }';
const reinstateDealer =
  'mutation ($input: ReinstateDealerInput!) { reinstateDealer(input: $input) { dealer { id } } }';
const updateListing =
  'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }';

test('a listing tells that it was written, published and changed, with what readers see', async () => {
  const garage = await market.dealer();
  const description = 'Runs *well*, has never stood in the rain.';
  const listing = await garage.listing({ published: true, title: 'First words', description });
  await call(updateListing, { listingId: listing.id, title: 'Second words' }, garage.owner);
  expect(await typesOf(listing.id)).toEqual(['object.created', 'object.published', 'object.updated']);
  const { digest, fieldDigests } = digestOf({ title: 'Second words', description });
  expect(await latest(listing.id)).toMatchObject({
    installationId: market.installation.id,
    object: { type: 'listing', id: listing.id },
    contentVersion: 3,
    payload: {
      ownerId: garage.id,
      languageTag: 'en',
      visibility: 'PUBLIC',
      url: `${market.installation.baseUrl}/listings/${listing.slug}`,
      title: 'Second words',
      html: '<p>Runs <em>well</em>, has never stood in the rain.</p>',
      contentDigest: digest,
      fieldDigests,
    },
  });
});

test('what waits for review is not told in place of what readers see', async () => {
  const reviewed = await seed(world.stack).installation({ settings: { moderation: 'pre' } });
  const user = await reviewed.user();
  const { id } = await user.listing({ title: 'Seen by all' });
  await scoped(ListingModel, reviewed.installation.id).findOneAndUpdate({ _id: id }, [
    {
      $set: {
        state: 'active',
        slug: 'seen',
        published: {
          categoryId: '$categoryId',
          title: '$title',
          description: '$description',
          languageTag: '$languageTag',
          condition: '$condition',
          attributes: '$attributes',
          revision: 1,
        },
        title: 'Waiting',
      },
    },
  ]);
  expect(await latest(id)).toMatchObject({ payload: { title: 'Seen by all', visibility: 'PUBLIC' } });
});

test('the listings of a dealer who is suspended are told to be unpublished, and published when it is back', async () => {
  const support = await market.staff('moderator');
  const garage = await market.dealer();
  const { id } = await garage.listing({ published: true });
  const draft = await garage.listing();
  await call(suspendDealer, { dealerId: garage.id, reason: 'Papers' }, support);
  expect(await latest(id)).toMatchObject({
    type: 'object.unpublished',
    payload: { visibility: 'PRIVATE' },
  });
  expect(await latest(garage.id)).toMatchObject({
    type: 'object.unpublished',
    object: { type: 'dealer' },
    payload: { visibility: 'PRIVATE' },
  });
  await call(reinstateDealer, { dealerId: garage.id }, support);
  expect(await latest(id)).toMatchObject({ type: 'object.published', payload: { visibility: 'PUBLIC' } });
  expect(await latest(garage.id)).toMatchObject({ type: 'object.published' });
  expect(await typesOf(draft.id)).toEqual(['object.created']);
});

test('what is put away with its owner is told, whether readers saw it or not', async () => {
  const garage = await market.dealer();
  const [shown, draft] = [await garage.listing({ published: true }), await garage.listing()];
  const place = { installationId: market.installation.id, platform: world.stack.platform };
  await archiveListings(place, { ownerId: garage.id, reason: 'dealer_closed' });
  expect((await typesOf(shown.id)).at(-1)).toBe('object.unpublished');
  expect((await typesOf(draft.id)).at(-1)).toBe('object.updated');
});

test('an erased person tells that the account and its listings are gone, and no word of his stays among the events', async () => {
  const user = await market.user();
  const { id } = await user.listing({ published: true, title: 'Violin of Anna' });
  expect(JSON.stringify(await told(id))).toContain('Violin');
  await scoped(UserModel, market.installation.id).findOneAndUpdate(
    { _id: user.id },
    { $set: { state: 'unverified' } },
  );
  const erasure = {
    platform: world.stack.platform,
    installationId: market.installation.id,
    userId: user.id,
    job: 'test',
  };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  const ofListing = await told(id);
  expect(ofListing).toHaveLength(1);
  expect(ofListing[0]).toMatchObject({ type: 'object.deleted', payload: null });
  const ofUser = await told(user.id);
  expect(ofUser).toHaveLength(1);
  expect(ofUser[0]).toMatchObject({
    type: 'user.state_changed',
    object: { type: 'user' },
    payload: { from: 'unverified', to: 'deleted' },
  });
});

test('a change that is refused tells nothing', async () => {
  const garage = await market.dealer();
  const { id } = await garage.listing({ published: true });
  const before = await typesOf(id);
  const result = await world.stack.execute(
    updateListing,
    { input: { listingId: id, title: 'Two', expectedVersion: 1 } },
    { as: garage.owner, installation: market.installation },
  );
  expect(result.errors).toHaveLength(1);
  expect(await typesOf(id)).toEqual(before);
});

test('idle, the relay reads an empty index of every collection', async () => {
  await world.stack.runJob('identity.relay');
  const plans = await indexesOf(() => world.stack.runJob('identity.relay'));
  expect(plans.map(({ command }) => command)).toEqual([
    'find arrivals',
    'find listings',
    'find dealers',
    'find pages',
    'find media',
    'find departures',
    'find users',
    'find listing_imports',
    'find conversations',
    'find payments',
    'find refunds',
    'find disputes',
    'find payouts',
  ]);
  for (const { indexes } of plans) expect(indexes).toContainEqual(expect.stringMatching(/outbox/));
});
