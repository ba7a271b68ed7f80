import { concurrently } from '../../../../test/support/concurrently.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { MediaModel, type MediaRecord } from '../../media/model.ts';
import { recordsOf } from './fixture/recordsOf.ts';
import { releaseFiles } from './lifecycle/releaseFiles.ts';

const { market, neighbour, stack } = product();
const { stored, put } = recordsOf(market);
const day = 24 * 3600 * 1000;
let id: string;

const anna = perTest(() => market.user());
beforeEach(async () => {
  ({ id } = await anna.listing());
});

const set = (mediaIds: readonly string[], listingId = id, by = anna) =>
  by.setListingMedia({ listingId, media: mediaIds.map((mediaId) => ({ mediaId })) });
const picture = (changes: Partial<MediaRecord> = {}, by = anna, at = market) =>
  storeMedia(at.installation.id, { type: 'user', id: by.id }, changes);
const pictures = (count: number) => concurrently(count, () => picture());
const fileOf = (_id: string, at = market) => at.records(MediaModel).findOne({ _id });
const usageOf = async (mediaId: string) => (await fileOf(mediaId))?.usage;

test('one write attaches, detaches, orders and describes files, and stores the use in each file', async () => {
  const [front, back, inside] = [await picture(), await picture(), await picture()];
  const media = [{ mediaId: front, altText: ' The front ' }, { mediaId: back }];
  const first = await anna.setListingMedia({ listingId: id, media });
  const described = { mediaId: front, kind: 'IMAGE', altText: 'The front' };
  const plain = (mediaId: string) => ({ mediaId, kind: 'IMAGE', altText: null });
  expect(first.listing).toMatchObject({ media: [described, plain(back)], version: 2, revision: 2 });
  for (let turn = 0; turn < 2; turn += 1) {
    const { listing } = await set([inside, front]);
    expect(listing).toMatchObject({ media: [plain(inside), plain(front)], version: 3 });
  }
  const use = [{ type: 'listing', id }];
  expect([await usageOf(front), await usageOf(inside), await usageOf(back)]).toEqual([use, use, []]);
  expect((await set([])).listing).toMatchObject({ media: [], version: 4 });
  expect(await usageOf(front)).toEqual([]);
});

test('fifty concurrent changes of the order of files result in one of the orders', async () => {
  const ids = await pictures(6);
  const orders = Array.from({ length: 50 }, (_, turn) =>
    [...ids.slice(turn % 6), ...ids.slice(0, turn % 6).toReversed()].map((mediaId) => {
      return { mediaId, altText: `Turn ${turn}` };
    }),
  );
  const answers = await Promise.all(orders.map((media) => anna.setListingMedia({ listingId: id, media })));
  const refused = answers.filter(isRefused);
  expect(refused.length).toBeLessThan(50);
  for (const answer of refused) expect(answer).toBeRefused(409, 'concurrent_update');
  const { media } = await stored(id);
  const turn = Number(media[0]?.altText?.slice(5));
  expect(media).toEqual(orders[turn]?.map((file) => ({ ...file, kind: 'image' })));
});

test('one of two concurrent lists of files with the same version is refused', async () => {
  const media = (await pictures(2)).map((mediaId) => [{ mediaId }]);
  const answers = await Promise.all(
    media.map((media) => anna.setListingMedia({ listingId: id, media, expectedVersion: 1 })),
  );
  expect(answers.filter(isRefused)).toHaveLength(1);
});

test('a listing of a dealer accepts files of the dealer, and refuses files of its members', async () => {
  const { id: dealerId, owner, listing } = await market.dealer();
  const { id: listingId } = await listing();
  const own = await storeMedia(market.installation.id, { type: 'dealer', id: dealerId });
  expect(await set([own], listingId, owner)).not.toBeRefused();
  const personal = await picture({}, owner);
  const media = [{ mediaId: own, altText: 'x'.repeat(501) }, { mediaId: personal }];
  expect(await owner.setListingMedia({ listingId, media })).toBeRefused(403, 'ownership_required');
  expect((await stored(listingId)).media).toHaveLength(1);
});

test('a list with unknown, deleted, unsuitable or repeated files is refused with a pointer for each', async () => {
  const elsewhere = await neighbour();
  const missing = [
    newId('media'),
    await picture({}, await elsewhere.user(), elsewhere),
    await picture({ state: 'deleted' }),
  ];
  const fine = await picture();
  const unsuitable = [await picture({ kind: 'document' }), await picture({ purpose: 'avatar' })];
  const answer = await set([...missing, fine, ...unsuitable, fine]);
  // A file of another installation is refused in the same way as a missing one.
  const detail = 'This file does not exist.';
  const errors = [6, 0, 1, 2, 4, 5].map((index) => ({
    pointer: `#/media/${index}/mediaId`,
    ...(index < 3 && { detail }),
  }));
  expect(answer).toBeRefused(422, 'validation_failed', { errors });
});

test.each(['awaiting_upload', 'processing', 'failed', 'blocked'] as const)(
  'a file that is %s cannot be attached, and stays in a list that already has it',
  async (state) => {
    const [fine, other] = [await picture(), await picture()];
    await set([fine, other]);
    const files = market.records(MediaModel);
    await files.findOneAndUpdate({ _id: other }, { $set: { state } });
    expect(await set([other, fine])).not.toBeRefused();
    expect(await set([fine, await picture({ state })])).toBeRefused(409, 'media_not_ready');
    expect((await stored(id)).media).toHaveLength(2);
  },
);

test('a listing with more than thirty files is refused', async () => {
  const ids = await pictures(31);
  expect(await set(ids)).toBeRefused(422, 'too_many_media');
  expect(await set(ids.slice(1))).not.toBeRefused();
  expect((await stored(id)).media).toHaveLength(30);
});

test('deleting a file with `detach` removes it from the listing and its public copy', async () => {
  await anna.publishListing({ listingId: id });
  const [kept, gone] = [await picture(), await picture()];
  await set([gone, kept]);
  expect(await anna.deleteMedia({ mediaId: gone })).toBeRefused(409, 'media_in_use');
  await anna.deleteMedia({ mediaId: gone, detach: true });
  const media = [{ mediaId: kept, kind: 'image', altText: null }];
  expect(await stored(id)).toMatchObject({ media, published: { media } });
});

test('a file that is attached and deleted concurrently is either attached or deleted', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id: listingId } = await anna.listing();
    const mediaId = await picture();
    const [attached, deleted] = await Promise.all([set([mediaId], listingId), anna.deleteMedia({ mediaId })]);
    expect(isRefused(attached)).toBe(!isRefused(deleted));
    expect((await stored(listingId)).media).toHaveLength(isRefused(attached) ? 0 : 1);
  }
});

test('while files wait for review, the earlier files are public, and the files of both lists are in use', async () => {
  const strict = await neighbour({ settings: { moderation: 'pre' } });
  const [owner, moderator] = [await strict.user(), await strict.staff('moderator')];
  const { id: listingId } = await owner.listing();
  const [old, next] = [await picture({}, owner, strict), await picture({}, owner, strict)];
  await set([old], listingId, owner);
  await owner.publishListing({ listingId });
  await moderator.approveListing({ listingId, revision: 2 });
  const { listing } = await set([next], listingId, owner);
  const revisions = { revision: 3, publishedRevision: 2 };
  expect(listing).toMatchObject({ state: 'ACTIVE', media: [{ mediaId: next }], ...revisions });
  const record = await recordsOf(strict).stored(listingId);
  expect(record.published?.media).toMatchObject([{ mediaId: old }]);
  expect((await fileOf(old, strict))?.usage).toHaveLength(1);
});

test('files of an archived listing are deleted after 30 days, unless they have another use or a legal hold', async () => {
  await anna.publishListing({ listingId: id });
  const { id: other } = await anna.listing();
  const [own, shared] = [await picture(), await picture()];
  const held = await picture({ legalHolds: [{ type: 'report', id: 'rep_1' }] });
  await set([own, shared, held]);
  await set([shared], other);
  await anna.archiveListing({ listingId: id });
  const release = () => stack.runJob(releaseFiles.name);
  await release();
  const { media, releaseFilesAt, updatedAt } = await stored(id);
  expect(media).toHaveLength(3);
  expect(Number(releaseFilesAt) - Number(updatedAt)).toBe(30 * day);
  await put(id, { releaseFilesAt: new Date(stack.platform.now() - 1) });
  await Promise.all([release(), release()]);
  expect(await stored(id)).toMatchObject({ media: [], published: { media: [] }, releaseFilesAt: null });
  expect(await fileOf(own)).toMatchObject({ state: 'deleted', usage: [] });
  expect(await fileOf(shared)).toMatchObject({ state: 'ready', usage: [{ id: other }] });
  expect(await fileOf(held)).toMatchObject({ state: 'ready', usage: [] });
});

test('files of a deleted draft are no longer in use', async () => {
  const mediaId = await picture();
  await set([mediaId]);
  expect(await anna.archiveListing({ listingId: id })).toMatchObject({ removed: true });
  expect(await fileOf(mediaId)).toMatchObject({ state: 'ready', usage: [] });
});
