import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser, seed } from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaRecord } from '../media/model.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { releaseFiles } from './releaseFiles.ts';
import { listingStates } from './states.ts';

const world = product();
const { market } = world;
const day = 24 * 3600 * 1000;

interface Caller {
  token: string;
}
const run = (source: string, input: object, by: Caller, at = market) =>
  world.stack.execute(source, { input }, { as: by.token, installation: at.installation });
const set = (listingId: string, media: readonly object[], by: Caller, more: object = {}, at = market) =>
  run(
    `mutation ($input: SetListingMediaInput!) { setListingMedia(input: $input) { listing {
      media { mediaId kind altText } state version revision publishedRevision } } }`,
    { listingId, media, ...more },
    by,
    at,
  );
const stored = async (id: string, at = market): Promise<ListingRecord> => {
  const listing = await scoped(ListingModel, at.installation.id).findOne({ _id: id });
  if (!listing) throw new Error('The listing is not there.');
  return listing;
};
const put = (id: string, change: Partial<ListingRecord>) =>
  scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: change });
const fileOf = (id: string, at = market) => scoped(MediaModel, at.installation.id).findOne({ _id: id });
const named = (ids: readonly string[]) => ids.map((mediaId) => ({ mediaId }));
const pictures = (by: SeededUser, count: number, changes: Partial<MediaRecord> = {}, at = market) =>
  Promise.all(
    Array.from({ length: count }, () => storeMedia(at.installation.id, { type: 'user', id: by.id }, changes)),
  );

test('one write attaches, detaches, orders and describes files, and each file knows where it is used', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const [front, back, inside] = (await pictures(anna, 3)) as [string, string, string];
  const first = await set(id, [{ mediaId: front, altText: ' The front ' }, { mediaId: back }], anna);
  expect(first.data?.setListingMedia.listing).toMatchObject({
    media: [
      { mediaId: front, kind: 'IMAGE', altText: 'The front' },
      { mediaId: back, kind: 'IMAGE', altText: null },
    ],
    version: 2,
    revision: 2,
  });
  const next = await set(id, [{ mediaId: inside }, { mediaId: front }], anna);
  expect(next.data?.setListingMedia.listing.media).toEqual([
    { mediaId: inside, kind: 'IMAGE', altText: null },
    { mediaId: front, kind: 'IMAGE', altText: null },
  ]);
  const use = [{ type: 'listing', id }];
  expect([(await fileOf(front))?.usage, (await fileOf(inside))?.usage]).toEqual([use, use]);
  expect((await fileOf(back))?.usage).toEqual([]);
  expect((await set(id, [], anna)).data?.setListingMedia.listing).toMatchObject({ media: [], version: 4 });
  expect((await fileOf(front))?.usage).toEqual([]);
});

test('the same list again changes nothing, not even the version', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const ids = await pictures(anna, 2);
  await set(id, named(ids), anna);
  expect((await set(id, named(ids), anna)).data?.setListingMedia.listing).toMatchObject({ version: 2 });
});

test('fifty orders at once end in one of them, whole', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const ids = await pictures(anna, 6);
  await set(id, named(ids), anna);
  const orders = Array.from({ length: 50 }, (_, turn) => [
    ...ids.slice(turn % 6),
    ...ids.slice(0, turn % 6).toReversed(),
  ]);
  const results = await Promise.all(
    orders.map((order, turn) =>
      set(
        id,
        order.map((mediaId) => ({ mediaId, altText: `Turn ${turn}` })),
        anna,
      ),
    ),
  );
  expect(results.filter(({ errors }) => !errors).length).toBeGreaterThan(0);
  for (const result of results.filter(({ errors }) => errors))
    expect(problemOf(result)).toMatchObject({ code: 'concurrent_update', status: 409 });
  const { media } = await stored(id);
  const turn = Number(media[0]?.altText?.slice(5));
  expect(media).toEqual(
    orders[turn]?.map((mediaId) => ({ mediaId, kind: 'image', altText: `Turn ${turn}` })),
  );
});

test('of two that were made for one version one is refused', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const [one, other] = (await pictures(anna, 2)) as [string, string];
  const results = await Promise.all(
    [one, other].map((file) => set(id, named([file]), anna, { expectedVersion: 1 })),
  );
  expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  expect(problemOf(await set(id, [], anna, { expectedVersion: 1 }))).toMatchObject({
    code: 'precondition_failed',
    status: 412,
  });
});

describe('a file', () => {
  test('of somebody else is refused, be it the dealer’s own member', async () => {
    const dealer = await market.dealer();
    const { id } = await dealer.listing();
    const own = await storeMedia(market.installation.id, { type: 'dealer', id: dealer.id });
    const [personal] = await pictures(dealer.owner, 1);
    expect((await set(id, named([own]), dealer.owner)).errors).toBeUndefined();
    const [stranger] = await pictures(await market.user(), 1);
    for (const file of [personal ?? '', stranger ?? ''])
      expect(
        problemOf(
          await set(id, [{ mediaId: own, altText: 'x'.repeat(501) }, { mediaId: file }], dealer.owner),
        ),
      ).toMatchObject({ code: 'ownership_required', status: 403 });
    expect((await stored(id)).media).toHaveLength(1);
  });

  test('that does not exist here, is gone, is no picture, or stands twice is refused with its place', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    const elsewhere = await world.neighbour();
    const [foreign] = await pictures(await elsewhere.user(), 1, {}, elsewhere);
    const [gone] = await pictures(anna, 1, { state: 'deleted' });
    const [paper] = await pictures(anna, 1, { kind: 'document' });
    const [face] = await pictures(anna, 1, { purpose: 'avatar' });
    const [fine] = await pictures(anna, 1);
    const unknown = [newId('media'), foreign, gone].map((file) => ({ mediaId: file }));
    const problem = problemOf(
      await set(id, [...unknown, ...named([paper ?? '', face ?? '', fine ?? '', fine ?? ''])], anna),
    );
    expect(problem).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(problem.errors.map(({ pointer }) => pointer).sort()).toEqual(
      [0, 1, 2, 3, 4, 6].map((index) => `#/media/${index}/mediaId`),
    );
    // Whoever asks learns nothing of other installations.
    const details = problem.errors.filter(({ pointer }) => /[012]/.test(pointer)).map(({ detail }) => detail);
    expect(new Set(details).size).toBe(1);
  });

  test.each(['awaiting_upload', 'processing', 'failed', 'blocked'] as const)(
    'that is %s is not attached, and one that becomes so is ordered on',
    async (state) => {
      const anna = await market.user();
      const { id } = await anna.listing();
      const [fine, other] = (await pictures(anna, 2)) as [string, string];
      await set(id, named([fine, other]), anna);
      await scoped(MediaModel, market.installation.id).findOneAndUpdate({ _id: other }, { $set: { state } });
      expect((await set(id, named([other, fine]), anna)).errors).toBeUndefined();
      const [late] = await pictures(anna, 1, { state });
      expect(problemOf(await set(id, named([fine, late ?? '']), anna))).toMatchObject({
        code: 'media_not_ready',
        status: 409,
      });
      expect((await stored(id)).media).toHaveLength(2);
    },
  );

  test('more than the thirtieth is refused', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    const ids = await pictures(anna, 31);
    expect(problemOf(await set(id, named(ids), anna))).toMatchObject({ code: 'too_many_media', status: 422 });
    expect((await set(id, named(ids.slice(1)), anna)).data?.setListingMedia.listing.media).toHaveLength(30);
  });

  test('that is deleted leaves the listing and what the public sees of it', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const [kept, goes] = (await pictures(anna, 2)) as [string, string];
    await set(id, named([goes, kept]), anna);
    const remove = 'mutation ($input: DeleteMediaInput!) { deleteMedia(input: $input) { deletedMediaId } }';
    expect(problemOf(await run(remove, { mediaId: goes }, anna))).toMatchObject({ code: 'media_in_use' });
    expect((await run(remove, { mediaId: goes, detach: true }, anna)).errors).toBeUndefined();
    const { media, published } = await stored(id);
    expect([media, published?.media]).toEqual(
      [named([kept]), named([kept])].map((list) =>
        list.map((file) => ({ ...file, kind: 'image', altText: null })),
      ),
    );
  });

  test('is either attached or deleted when both happen at once', async () => {
    const anna = await market.user();
    const remove = 'mutation ($input: DeleteMediaInput!) { deleteMedia(input: $input) { deletedMediaId } }';
    for (let round = 0; round < 5; round += 1) {
      const { id } = await anna.listing();
      const [file] = await pictures(anna, 1);
      const [attached, deleted] = await Promise.all([
        set(id, named([file ?? '']), anna),
        run(remove, { mediaId: file }, anna),
      ]);
      expect([attached.errors, deleted.errors].filter((errors) => !errors)).toHaveLength(1);
      expect((await stored(id)).media).toHaveLength(attached.errors ? 0 : 1);
    }
  });
});

test('where listings are reviewed first the public keeps the files it has, and both lists are in use', async () => {
  const strict = await seed(world.stack).installation({ settings: { moderation: 'pre' } });
  const anna = await strict.user();
  const { id } = await anna.listing();
  const [old, next] = (await pictures(anna, 2, {}, strict)) as [string, string];
  await set(id, named([old]), anna, {}, strict);
  const { categoryId, title, description, languageTag, condition, attributes, media } = await stored(
    id,
    strict,
  );
  const published = {
    categoryId,
    title,
    description,
    languageTag,
    condition,
    attributes,
    media,
    revision: 2,
  };
  await scoped(ListingModel, strict.installation.id).findOneAndUpdate(
    { _id: id },
    { $set: { state: 'active', published } },
  );
  const result = await set(id, named([next]), anna, {}, strict);
  expect(result.data?.setListingMedia.listing).toMatchObject({
    state: 'ACTIVE',
    media: [{ mediaId: next }],
    revision: 3,
    publishedRevision: 2,
  });
  expect((await stored(id, strict)).published?.media).toMatchObject([{ mediaId: old }]);
  expect((await fileOf(old, strict))?.usage).toHaveLength(1);
});

test.each(listingStates)('from %s it is done unless the listing is closed', async (state) => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const ids = await pictures(anna, 1);
  await put(id, { state });
  const result = await set(id, named(ids), anna);
  if (state === 'sold' || state === 'archived')
    expect(problemOf(result)).toMatchObject({ code: 'invalid_transition', status: 409 });
  else
    expect(result.data?.setListingMedia.listing.state.toLowerCase()).toBe(
      state === 'pending_review' ? 'draft' : state,
    );
});

test('strangers, moderators and another installation change no list', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  for (const by of [await market.user(), await market.staff('moderator')])
    expect(problemOf(await set(id, [], by))).toMatchObject({ code: 'ownership_required', status: 403 });
  const elsewhere = await world.neighbour();
  expect(problemOf(await set(id, [], await elsewhere.user(), {}, elsewhere))).toMatchObject({
    code: 'not_found',
  });
});

describe('files of a listing that was put away', () => {
  const archive = 'mutation ($input: ArchiveListingInput!) { archiveListing(input: $input) { removed } }';

  test('stay for 30 days; then those that serve nothing else are deleted', async () => {
    const anna = await market.user();
    const [{ id }, { id: other }] = [await anna.listing({ published: true }), await anna.listing()];
    const [own, shared, held] = (await pictures(anna, 3)) as [string, string, string];
    await scoped(MediaModel, market.installation.id).findOneAndUpdate(
      { _id: held },
      { $set: { legalHolds: [{ type: 'report', id: 'rep_1' }] } },
    );
    await set(id, named([own, shared, held]), anna);
    await set(other, named([shared]), anna);
    await run(archive, { listingId: id }, anna);
    await world.stack.runJob(releaseFiles.name);
    expect((await stored(id)).media).toHaveLength(3);
    await put(id, { releaseFilesAt: new Date(world.stack.platform.now() - 1) });
    await Promise.all([world.stack.runJob(releaseFiles.name), world.stack.runJob(releaseFiles.name)]);
    expect(await stored(id)).toMatchObject({ media: [], published: { media: [] }, releaseFilesAt: null });
    expect(await fileOf(own)).toMatchObject({ state: 'deleted', usage: [] });
    expect(await fileOf(shared)).toMatchObject({ state: 'ready', usage: [{ id: other }] });
    expect(await fileOf(held)).toMatchObject({ state: 'ready', usage: [] });
  });

  test('are the owner’s again at once where a draft is removed', async () => {
    const anna = await market.user();
    const { id } = await anna.listing();
    const [file] = await pictures(anna, 1);
    await set(id, named([file ?? '']), anna);
    expect((await run(archive, { listingId: id }, anna)).data?.archiveListing.removed).toBe(true);
    expect(await fileOf(file ?? '')).toMatchObject({ state: 'ready', usage: [] });
  });

  test('are released thirty days after it was put away', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    await run(archive, { listingId: id }, anna);
    const { releaseFilesAt, updatedAt } = await stored(id);
    expect((releaseFilesAt?.getTime() ?? 0) - updatedAt.getTime()).toBe(30 * day);
  });
});
