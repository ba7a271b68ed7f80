import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { digestOf } from '../../../platform/content/digestOf.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { archiveListings } from '../../listings/listing/lifecycle/archiveListings.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { UserModel } from '../../people/user/model.ts';
import { eraseUser } from '../../privacy/account-deletion/eraseUser.ts';
import { personalData } from '../../server.ts';

const { market, neighbour, stack } = product();
const place = () => ({ installationId: market.installation.id, platform: stack.platform });

/** The events of an object so far. */
async function eventsOf(id: string) {
  await stack.runJob('identity.relay');
  return EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
}
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
const latest = async (id: string) => (await eventsOf(id)).at(-1);

test('creating, publishing and changing a listing publishes events with its public content', async () => {
  const { owner, ...garage } = await market.dealer();
  const description = 'Runs *well*, has never stood in the rain.';
  const listing = await garage.listing({ published: true, title: 'First words', description });
  await owner.updateListing({ listingId: listing.id, title: 'Second words' });
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

test('an event contains the published revision while a newer one waits for review', async () => {
  const { installation, ...reviewed } = await neighbour({
    settings: { moderation: 'pre' },
  });
  const { id } = await (await reviewed.user()).listing({ title: 'Seen by all' });
  const members = ['categoryId', 'title', 'description', 'languageTag', 'condition', 'attributes'];
  const published = { ...Object.fromEntries(members.map((name) => [name, `$${name}`])), revision: 1 };
  const $set = { state: 'active', slug: 'seen', published, title: 'Waiting' };
  await scoped(ListingModel, installation.id).findOneAndUpdate({ _id: id }, [{ $set }]);
  expect(await latest(id)).toMatchObject({ payload: { title: 'Seen by all', visibility: 'PUBLIC' } });
});

test('a suspension unpublishes a dealer and its published listings; a reinstatement publishes them', async () => {
  const moderator = await market.staff('moderator');
  const garage = await market.dealer();
  const { id } = await garage.listing({ published: true });
  const draft = await garage.listing();
  await moderator.suspendDealer({ dealerId: garage.id, reason: 'Papers' });
  const unpublished = { type: 'object.unpublished', payload: { visibility: 'PRIVATE' } };
  expect(await latest(id)).toMatchObject(unpublished);
  expect(await latest(garage.id)).toMatchObject({ ...unpublished, object: { type: 'dealer' } });
  await moderator.reinstateDealer({ dealerId: garage.id });
  expect(await latest(id)).toMatchObject({ type: 'object.published', payload: { visibility: 'PUBLIC' } });
  expect(await latest(garage.id)).toMatchObject({ type: 'object.published' });
  expect(await typesOf(draft.id)).toEqual(['object.created']);
});

test('archiving the listings of a dealer publishes an event for each listing', async () => {
  const garage = await market.dealer();
  const [shown, draft] = [await garage.listing({ published: true }), await garage.listing()];
  await archiveListings(place(), { ownerId: garage.id, reason: 'dealer_closed' });
  expect(await latest(shown.id)).toMatchObject({ type: 'object.unpublished' });
  expect(await latest(draft.id)).toMatchObject({ type: 'object.updated' });
});

test('the erasure of an account publishes its deletion and removes the texts of its listings from the events', async () => {
  const user = await market.user();
  const { id } = await user.listing({ published: true, title: 'Violin of Anna' });
  expect(JSON.stringify(await eventsOf(id))).toContain('Violin');
  const users = market.records(UserModel);
  await users.findOneAndUpdate({ _id: user.id }, { $set: { state: 'unverified' } });
  const erasure = { ...place(), userId: user.id, job: 'test', personalData };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  expect(await eventsOf(id)).toMatchObject([{ type: 'object.deleted', payload: null }]);
  expect(await eventsOf(user.id)).toMatchObject([
    {
      type: 'user.state_changed',
      object: { type: 'user' },
      payload: { from: 'unverified', to: 'deleted' },
    },
  ]);
});

test('a change of a file publishes an event, and its deletion one without content', async () => {
  const user = await market.user();
  const mediaId = await storeMedia(market.installation.id, { type: 'user', id: user.id });
  await user.updateMedia({ mediaId, altText: 'A violin' });
  const object = { type: 'media', id: mediaId };
  expect(await latest(mediaId)).toMatchObject({ type: 'object.updated', object });
  await user.deleteMedia({ mediaId });
  expect(await latest(mediaId)).toMatchObject({ type: 'object.deleted', object, payload: null });
});

test('a refused change publishes no event', async () => {
  const { owner, ...garage } = await market.dealer();
  const { id: listingId } = await garage.listing({ published: true });
  const before = await typesOf(listingId);
  expect(await owner.updateListing({ listingId, title: 'Second words', expectedVersion: 1 })).toBeRefused(
    412,
  );
  expect(await typesOf(listingId)).toEqual(before);
});

test('a relay without work reads each collection once, by the index of the outbox', async () => {
  await stack.runJob('identity.relay');
  const plans = await indexesOf(() => stack.runJob('identity.relay'));
  const objects = ['listings', 'dealers', 'pages', 'media'];
  const others = ['users', 'listing_imports', 'conversations', 'payments', 'refunds', 'disputes', 'payouts'];
  const collections = ['arrivals', ...objects, 'departures', ...others];
  expect(plans.map(({ command }) => command)).toEqual(collections.map((name) => `find ${name}`));
  for (const { indexes } of plans) expect(indexes).toContainEqual(expect.stringMatching(/outbox/));
});
