import { Readable } from 'node:stream';
import { concurrently } from '../../../test/support/concurrently.ts';
import { storeMedia } from '../../../test/support/people/storeMedia.ts';
import { perFile, perTest, product } from '../../../test/support/product.ts';
import { isRefused } from '../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../test/support/seed.ts';
import { DealerModel } from '../people/dealer/model.ts';
import { blockId, MediaBlockModel } from './blockModel.ts';
import { MediaModel, type MediaRecord } from './model.ts';
import { deleteFilesOf } from './removal/deleteFilesOf.ts';
import { originalKey } from './storageKeys.ts';
import { createMediaFromStream } from './upload/createMediaFromStream.ts';

const { market, stack } = product();

const moderator = perFile(() => market.staff('moderator'));
const ada = perTest(() => market.user());
const garage = perTest(() => market.dealer());

const files = () => market.records(MediaModel);
const dealers = () => market.records(DealerModel);
const stored = (id: string) => files().findOne({ _id: id });
const put = (_id: string, set: Partial<MediaRecord>) => files().findOneAndUpdate({ _id }, { $set: set });
const own = (changes: Partial<MediaRecord> = {}, by = ada) =>
  storeMedia(market.installation.id, { type: 'user', id: by.id }, changes);
const ofGarage = (changes: Partial<MediaRecord> = {}) =>
  storeMedia(market.installation.id, { type: 'dealer', id: garage.id }, changes);
const place = () => ({ installationId: market.installation.id, platform: stack.platform });
const held = { legalHolds: [{ type: 'report' as const, id: 'rep_1' }] };

/** Stores bytes as an import does. */
const stream = (bytes: Readable, by = ada) =>
  createMediaFromStream(place(), {
    owner: { type: 'user', id: by.id },
    purpose: 'listing',
    filename: 'https://photos.test/one.jpg',
    contentType: 'image/jpeg',
    bytes,
  });
const streamText = (text: string, by = ada) => stream(Readable.from([Buffer.from(text)]), by);
const follow = (url: string) => market.visitor.rest('GET', new URL(url).pathname);

test('the library lists the files of the caller and of their dealers, in descending order of creation', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const createdAt = new Date(Date.now() - index * 1000);
    ids.push(await (index % 2 ? ofGarage({ createdAt }) : own({ createdAt }, garage.owner)));
  }
  await own();
  const { nodes } = await garage.owner.mediaLibrary();
  expect(nodes.map(({ id }) => id)).toEqual(ids);
  const ofDealer = await garage.owner.mediaLibrary({ dealerId: garage.id });
  expect(ofDealer.nodes.map(({ id }) => id)).toEqual([ids[1], ids[3]]);
});

test('the library is filtered by kind, purpose, state and use, and contains no deleted files', async () => {
  const avatar = await own({ purpose: 'avatar', usage: [{ type: 'avatar', id: ada.id }] });
  const video = await own({ kind: 'video' });
  const failed = await own({ state: 'failed' });
  await own({ state: 'deleted' });
  const idsOf = async (filter: Parameters<typeof ada.mediaLibrary>[0]) => {
    const { nodes } = await ada.mediaLibrary(filter, 'nodes { id }');
    return nodes.map(({ id }) => id).sort();
  };
  expect(await idsOf({})).toEqual([avatar, video, failed].sort());
  expect(await idsOf({ kind: ['VIDEO', 'DOCUMENT'] })).toEqual([video]);
  expect(await idsOf({ purpose: ['AVATAR'] })).toEqual([avatar]);
  expect(await idsOf({ state: ['FAILED', 'DELETED'] })).toEqual([failed]);
  expect(await idsOf({ unused: true })).toEqual([video, failed].sort());
  expect(await idsOf({ unused: false })).toEqual([avatar]);
});

test('only owners of a dealer can read and declare the documents of its verification', async () => {
  const agent = await market.user();
  const { id: dealerId, owner } = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const of = { type: 'dealer', id: dealerId } as const;
  const paper = await storeMedia(market.installation.id, of, { purpose: 'verification' });
  const picture = await storeMedia(market.installation.id, of);
  const idsFor = async (user: SeededUser) => {
    const { nodes } = await user.mediaLibrary({}, 'nodes { id }');
    return nodes.map(({ id }) => id).sort();
  };
  expect(await idsFor(agent)).toEqual([picture]);
  expect(await idsFor(owner)).toEqual([paper, picture].sort());
  expect(await agent.api.media({ mediaId: paper })).toBeRefused(403, 'ownership_required');
  const declared = { filename: 'id.pdf', contentType: 'application/pdf', purpose: 'VERIFICATION', dealerId };
  expect(await agent.createMedia(declared as never)).toBeRefused(403, 'dealer_role_required');
});

test('an owner can change the text, focus and name of a file, and clear text and focus', async () => {
  const mediaId = await own();
  const change = { altText: ' Rear ', focalPoint: { x: 0.25, y: 1 }, filename: 'a/b\\rear.jpg' };
  const { media } = await ada.updateMedia({ mediaId, ...change });
  const changed = { altText: 'Rear', focalPoint: { x: 0.25, y: 1 }, filename: 'rear.jpg' };
  expect(media).toMatchObject({ ...changed, state: 'READY', version: 2 });
  const cleared = await ada.updateMedia({ mediaId, altText: null, focalPoint: null });
  expect(cleared.media).toMatchObject({ altText: null, focalPoint: null, version: 3 });
});

test('a refused change of a file names every invalid member', async () => {
  const focalPoint = { x: -0.1, y: 1.1 };
  const wrong = { altText: 'x'.repeat(501), focalPoint, rotation: 45, filename: '/' };
  expect(await ada.updateMedia({ mediaId: await own(), ...wrong })).toBeInvalid(
    '#/altText',
    '#/focalPoint/x',
    '#/focalPoint/y',
    '#/rotation',
    '#/filename',
  );
  const video = await own({ kind: 'video' });
  expect(await ada.updateMedia({ mediaId: video, rotation: 90 })).toBeInvalid('#/rotation');
});

test('a rotation sends a picture to processing once, and another one is refused meanwhile', async () => {
  const mediaId = await own();
  const rotate = (rotation: number) => ada.updateMedia({ mediaId, rotation });
  expect((await rotate(90)).media).toMatchObject({ rotation: 90, state: 'PROCESSING', version: 2 });
  expect(await rotate(180)).toBeRefused(409, 'invalid_transition');
  expect(await rotate(90)).not.toBeRefused();
});

test('deleting a file hides it immediately, and is refused while the file is in use', async () => {
  const [mediaId, used] = [await own(), await own({ purpose: 'avatar' })];
  expect((await ada.rest('DELETE', `/api/v1/media/${mediaId}`)).status).toBe(204);
  expect(await ada.api.media({ mediaId })).toBeRefused(404);
  expect(await ada.deleteMedia({ mediaId })).toBeRefused(404);
  expect(await stored(mediaId)).toMatchObject({ state: 'deleted', withheld: true });
  await ada.updateMe({ avatarMediaId: used });
  expect(await ada.me()).toMatchObject({ avatarMediaId: used });
  expect(await ada.deleteMedia({ mediaId: used })).toBeRefused(409, 'media_in_use');
  expect((await ada.rest('DELETE', `/api/v1/media/${used}?detach=true`)).status).toBe(204);
  expect(await ada.me()).toMatchObject({ avatarMediaId: null });
});

test('deleting a file with `detach` removes the logo and banner of a dealer', async () => {
  const logo = await ofGarage({ purpose: 'logo' });
  const pictures = { logoMediaId: logo, bannerMediaId: logo };
  await garage.owner.updateDealer({ dealerId: garage.id, ...pictures });
  expect((await stored(logo))?.usage).toEqual([
    { type: 'logo', id: garage.id },
    { type: 'banner', id: garage.id },
  ]);
  await garage.owner.deleteMedia({ mediaId: logo, detach: true });
  const dealer = await garage.owner.dealer({ dealerId: garage.id });
  expect(dealer).toMatchObject({ logoMediaId: null, bannerMediaId: null });
});

test('deleting a document with `detach` is accepted for a draft and refused for a submitted verification', async () => {
  const { owner, id: dealerId } = garage;
  const mediaId = await ofGarage({ purpose: 'verification', kind: 'document' });
  await owner.putDealerVerification({ dealerId, documents: [{ kind: 'ID', mediaId }] });
  expect(await owner.deleteMedia({ mediaId })).toBeRefused(409, 'media_in_use');
  const setState = (state: string) =>
    dealers().findOneAndUpdate({ _id: dealerId }, { $set: { 'verification.state': state } });
  await setState('submitted');
  expect(await owner.deleteMedia({ mediaId, detach: true })).toBeRefused(409, 'legal_hold');
  await setState('draft');
  expect(await owner.deleteMedia({ mediaId, detach: true })).not.toBeRefused();
  expect((await dealers().findOne({ _id: dealerId }))?.verification.documents).toEqual([]);
});

test('a file under a legal hold or in processing cannot be deleted', async () => {
  const remove = (mediaId: string) => ada.deleteMedia({ mediaId, detach: true });
  expect(await remove(await own(held))).toBeRefused(409, 'legal_hold');
  expect(await remove(await own({ state: 'processing' }))).toBeRefused(409, 'invalid_transition');
});

test('a file that is deleted and attached concurrently leaves no reference to a deleted file', async () => {
  for (let round = 0; round < 10; round += 1) {
    const mediaId = await own({ purpose: 'avatar' });
    const answers = await Promise.all([
      ada.updateMe({ avatarMediaId: mediaId }),
      ada.deleteMedia({ mediaId }),
    ]);
    expect(answers.every(isRefused)).toBe(false);
    const record = await stored(mediaId);
    const isReady = record?.state === 'ready';
    expect((await ada.me()).avatarMediaId === mediaId).toBe(isReady);
    expect(record?.usage).toHaveLength(isReady ? 1 : 0);
  }
});

test('the files of a deleted account are deleted, except those under a legal hold', async () => {
  const ids = [
    await own({ purpose: 'avatar', usage: [{ type: 'avatar', id: ada.id }], altText: 'Me' }),
    await own({ state: 'processing' }),
    await own({ state: 'blocked' }),
  ];
  const kept = await own(held);
  await deleteFilesOf({ ...place(), userId: ada.id });
  const deleted = { state: 'deleted', filename: 'file', altText: null, usage: [] };
  for (const id of ids) expect(await stored(id)).toMatchObject(deleted);
  expect(await stored(kept)).toMatchObject({ state: 'ready' });
});

test('a reference to an unsuitable file is refused in the same way as one to a missing file', async () => {
  const unsuitable = [
    await own({ purpose: 'avatar' }, await market.user()),
    await own({ purpose: 'listing' }),
    await own({ purpose: 'avatar', state: 'processing' }),
    await own({ purpose: 'avatar', state: 'deleted' }),
    'med_00000000000000000000000000',
    'nonsense',
  ];
  for (const avatarMediaId of unsuitable)
    expect(await ada.updateMe({ avatarMediaId })).toBeRefused(422, 'validation_failed', {
      errors: [{ pointer: '#/avatarMediaId', detail: 'This file does not exist.' }],
    });
  const pictures = { logoMediaId: await own({ purpose: 'logo' }), bannerMediaId: await ofGarage() };
  const answer = await garage.owner.updateDealer({ dealerId: garage.id, ...pictures });
  expect(answer).toBeInvalid('#/logoMediaId', '#/bannerMediaId');
});

test('a file is marked as in use until another file replaces it', async () => {
  const [one, two] = [await own({ purpose: 'avatar' }), await own({ purpose: 'avatar' })];
  const usages = async () => [(await stored(one))?.usage, (await stored(two))?.usage];
  const used = [{ type: 'avatar', id: ada.id }];
  await ada.updateMe({ avatarMediaId: one });
  expect(await ada.updateMe({ avatarMediaId: two, expectedVersion: 1 })).toBeRefused(412);
  expect(await usages()).toEqual([used, []]);
  await ada.updateMe({ avatarMediaId: two });
  expect(await usages()).toEqual([[], used]);
  await ada.updateMe({ avatarMediaId: null });
  expect(await usages()).toEqual([[], []]);
});

test('a download is a link to the original of a ready file, valid for five minutes', async () => {
  const { _id: mediaId } = await streamText('original');
  expect(await ada.mediaDownload({ mediaId })).toBeRefused(409, 'media_not_ready');
  await put(mediaId, { state: 'ready' });
  const { body, headers } = await ada.rest('GET', `/api/v1/media/${mediaId}/download`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(Date.parse(body.expiresAt) - stack.platform.now()).toBeLessThanOrEqual(300_000);
  const file = await follow(body.url);
  expect([file.status, file.body]).toEqual([200, 'original']);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="one.jpg"');
});

test('a download of a verification document by the staff is recorded in the audit log', async () => {
  const paper = await ofGarage({ purpose: 'verification', kind: 'document' });
  expect(await moderator.mediaDownload({ mediaId: paper })).not.toBeRefused();
  const events = await market.audits({ 'target.id': paper });
  expect(events).toMatchObject([{ action: 'mediaDownload', actor: { type: 'user', id: moderator.id } }]);
});

test('a block applies to every existing and new file with the same bytes, until it is reverted', async () => {
  const text = `the same ${ada.id}`;
  const one = await streamText(text);
  const two = await streamText(text, await market.user());
  const three = await streamText(text, moderator);
  for (const { _id } of [one, two]) await put(_id, { state: 'ready' });
  const { url } = await ada.mediaDownload({ mediaId: one._id });
  const block = (unblock: boolean) =>
    moderator.blockMedia({ mediaId: one._id, unblock, ...(unblock ? {} : { reason: 'Stolen' }) });
  expect(await block(false)).toMatchObject({ media: { state: 'BLOCKED' } });
  const blocked = { state: 'blocked', withheld: true, block: { reason: 'Stolen' } };
  expect(await stored(two._id)).toMatchObject(blocked);
  const barred = { state: 'failed', failure: { code: 'content_blocked' } };
  expect(await stored(three._id)).toMatchObject(barred);
  expect(await streamText(text)).toMatchObject(barred);
  expect((await follow(url)).status).toBe(404);
  expect(await block(false)).toBeRefused(409, 'invalid_transition');
  expect(await block(true)).toMatchObject({ media: { state: 'READY' } });
  expect(await stored(two._id)).toMatchObject({ state: 'ready', withheld: false, block: null });
  expect((await follow(url)).status).toBe(200);
  expect((await streamText(text)).state).toBe('processing');
  const events = await market.audits({ 'target.id': one._id });
  expect(events.map(({ action }) => action).sort()).toEqual(['blockMedia', 'unblockMedia']);
});

test('one of fifty concurrent blocks of a file succeeds', async () => {
  const mediaId = await own();
  const block = () => moderator.blockMedia({ mediaId }, 'media { id }');
  expect(await concurrently(50, block)).toBeRefusedTimes(49, 409);
  expect(await stored(mediaId)).toMatchObject({ state: 'blocked', version: 2 });
});

test('a block is refused for a file that is not ready, and with a reason of 501 characters', async () => {
  const awaiting = { mediaId: await own({ state: 'awaiting_upload' }) };
  expect(await moderator.blockMedia(awaiting)).toBeRefused(409, 'invalid_transition');
  const deleted = { mediaId: await own({ state: 'deleted' }) };
  expect(await moderator.blockMedia(deleted)).toBeRefused(404, 'not_found');
  const wordy = { mediaId: await own(), reason: 'x'.repeat(501) };
  expect(await moderator.blockMedia(wordy)).toBeInvalid('#/reason');
});

test('two files of one owner with the same bytes share one original', async () => {
  const [one, two] = [await streamText('bytes of an import'), await streamText('bytes of an import')];
  expect(one).toMatchObject({ state: 'processing', filename: 'one.jpg', byteSize: 18, drafts: [] });
  expect(two.original).toBe(one.original);
  expect(two._id).not.toBe(one._id);
  const key = originalKey(market.installation.id, one.original ?? '');
  expect(await stack.platform.storage.exists(key)).toBe(true);
});

test('a stream that fails stores no file', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('some');
      throw new Error('The line was cut.');
    })(),
  );
  await expect(stream(broken)).rejects.toThrow('The line was cut.');
  expect(await files().count({ 'owner.id': ada.id })).toBe(0);
});

test('a job deletes the drafts of an upload that crashed after it has expired', async () => {
  const { storage, now } = stack.platform;
  const name = `${ada.id}-draft`;
  const key = originalKey(market.installation.id, name);
  await storage.put(key, Readable.from([Buffer.from('half way')]), { contentType: 'image/jpeg' });
  const expiresAt = new Date(now() - 600_001);
  const upload = { byteSize: null, sha256: null, contentType: 'image/jpeg', expiresAt };
  const begun = await own({ state: 'awaiting_upload', drafts: [name], upload, original: null });
  const complete = await own({ upload });
  await stack.runJob('identity.media-upkeep');
  expect(await storage.exists(key)).toBe(false);
  expect(await stored(begun)).toMatchObject({ state: 'failed', drafts: [], upload: null });
  expect(await stored(complete)).toMatchObject({ state: 'ready', upload: null });
});

test('a job completes a block that was interrupted by a crash', async () => {
  const { _id, sha256 } = await streamText(`blocked ${ada.id}`);
  await put(_id, { state: 'ready' });
  const digest = sha256 ?? '';
  const blocks = market.records(MediaBlockModel);
  const block = { _id: blockId(market.installation.id, digest), sha256: digest, mediaId: 'med_other' };
  const decision = { by: 'usr_moderator', reason: null, at: new Date(), settled: false };
  await blocks.insert({ ...block, ...decision });
  await stack.runJob('identity.media-upkeep');
  const blocked = { state: 'blocked', withheld: true, block: { by: 'usr_moderator' } };
  expect(await stored(_id)).toMatchObject(blocked);
  expect(await blocks.findOne({ _id: block._id })).toMatchObject({ settled: true });
});
