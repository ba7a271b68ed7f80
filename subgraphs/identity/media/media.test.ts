import { Readable } from 'node:stream';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { storeMedia } from '../../../test/support/storeMedia.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { DealerModel } from '../dealer/model.ts';
import { buildIdentity } from '../server.ts';
import { blockId, MediaBlockModel } from './blockModel.ts';
import { createMediaFromStream } from './createMediaFromStream.ts';
import { deleteFilesOf } from './deleteFilesOf.ts';
import { MediaModel, type MediaRecord } from './model.ts';
import { originalKey } from './storageKeys.ts';

let rest: RestStack;
let shop: SeededInstallation;
let ada: SeededUser;
let garage: SeededDealer;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
beforeEach(async () => {
  ada = await shop.user();
  garage = await shop.dealer({ state: 'active' });
});
afterAll(() => rest.close());

type Options = Parameters<RestStack['call']>[2];
const call = (by: SeededUser, method: string, path: string, options: Options = {}) =>
  rest.call(method, `/api/v1${path}`, { token: by.token, ...options });
const stored = (id: string) => scoped(MediaModel, shop.installation.id).findOne({ _id: id });
const own = (changes: Partial<MediaRecord> = {}, by = ada) =>
  storeMedia(shop.installation.id, { type: 'user', id: by.id }, changes);
const ofGarage = (changes: Partial<MediaRecord> = {}) =>
  storeMedia(shop.installation.id, { type: 'dealer', id: garage.id }, changes);
const problemOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
];

/** Bytes as an import has them. */
async function stream(text: string, changes: { owner?: MediaRecord['owner'] } = {}): Promise<MediaRecord> {
  const { platform } = rest.stack;
  return createMediaFromStream(
    { installationId: shop.installation.id, platform },
    {
      owner: { type: 'user', id: ada.id },
      purpose: 'listing',
      filename: 'https://photos.test/one.jpg',
      contentType: 'image/jpeg',
      bytes: Readable.from([Buffer.from(text)]),
      ...changes,
    },
  );
}

describe('the library', () => {
  test('holds one’s own files and those of one’s dealers, the newest first, page by page', async () => {
    const { owner } = garage;
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const createdAt = new Date(Date.now() - index * 1000);
      ids.push(await (index % 2 ? ofGarage({ createdAt }) : own({ createdAt }, owner)));
    }
    await own();
    const first = await call(owner, 'GET', '/media?limit=3');
    const second = await call(owner, 'GET', `/media?limit=3&cursor=${first.body.page.nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
    expect(second.body.page.nextCursor).toBeNull();
    const ofDealer = await call(owner, 'GET', `/media?dealerId=${garage.id}`);
    expect(ofDealer.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[3]]);
    expect(problemOf(await call(ada, 'GET', `/media?dealerId=${garage.id}`))).toEqual([
      403,
      'ownership_required',
    ]);
  });

  test('is narrowed by kind, purpose, state and use, and never shows what is deleted', async () => {
    const used = { usage: [{ type: 'avatar' as const, id: ada.id }] };
    const files = {
      avatar: await own({ purpose: 'avatar', ...used }),
      video: await own({ kind: 'video' }),
      failed: await own({ state: 'failed' }),
      deleted: await own({ state: 'deleted' }),
    };
    const names = async (query: string) => {
      const { body } = await call(ada, 'GET', `/media${query}`);
      const byId = new Map(Object.entries(files).map(([name, id]) => [id, name]));
      return body.data.map(({ id }: { id: string }) => byId.get(id)).sort();
    };
    expect(await names('')).toEqual(['avatar', 'failed', 'video']);
    expect(await names('?kind=video,document')).toEqual(['video']);
    expect(await names('?purpose=avatar')).toEqual(['avatar']);
    expect(await names('?state=failed,deleted')).toEqual(['failed']);
    expect(await names('?unused=true')).toEqual(['failed', 'video']);
    expect(await names('?unused=false')).toEqual(['avatar']);
  });

  test('shows papers of a verification to owners of the dealer only', async () => {
    const agent = await shop.user();
    await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
      { _id: garage.id },
      { $push: { members: { userId: agent.id, role: 'agent', locationIds: [], joinedAt: new Date() } } },
    );
    rest.stack.platform.forgetPrincipal({ userId: agent.id });
    const [paper, picture] = [await ofGarage({ purpose: 'verification' }), await ofGarage()];
    const ids = async (by: SeededUser) =>
      (await call(by, 'GET', '/media')).body.data.map(({ id }: { id: string }) => id).sort();
    expect(await ids(agent)).toEqual([picture]);
    expect(await ids(garage.owner)).toEqual([paper, picture].sort());
    expect(problemOf(await call(agent, 'GET', `/media/${paper}`))).toEqual([403, 'ownership_required']);
    const declared = {
      filename: 'id.pdf',
      contentType: 'application/pdf',
      purpose: 'verification',
      dealerId: garage.id,
    };
    expect(problemOf(await call(agent, 'POST', '/media', { body: declared }))).toEqual([
      403,
      'dealer_role_required',
    ]);
  });

  test('costs the same number of commands for any number of files', async () => {
    const read = async () => {
      const { commands } = await countCommands(() => call(ada, 'GET', '/media?limit=100'));
      return commands.filter((command) => command.endsWith(' media')).length;
    };
    await own();
    const one = await read();
    for (let index = 0; index < 10; index += 1) await own();
    expect([one, await read()]).toEqual([1, 1]);
  });
});

describe('a change', () => {
  test('of words, focus and name is made, null clears, and the version is asked', async () => {
    const id = await own();
    const changed = await call(ada, 'PATCH', `/media/${id}`, {
      body: { altText: ' Rear ', focalPoint: { x: 0.25, y: 1 }, filename: 'a/b\\rear.jpg' },
      headers: { 'if-match': '"1-00000000"' },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        altText: 'Rear',
        focalPoint: { x: 0.25, y: 1 },
        filename: 'rear.jpg',
        state: 'ready',
        version: 2,
      },
    });
    const stale = { body: { altText: 'x' }, headers: { 'if-match': '"1-00000000"' } };
    expect((await call(ada, 'PATCH', `/media/${id}`, stale)).status).toBe(412);
    const cleared = await call(ada, 'PATCH', `/media/${id}`, { body: { altText: null, focalPoint: null } });
    expect(cleared.body).toMatchObject({ altText: null, focalPoint: null, version: 3 });
  });

  test('names everything that is wrong with it', async () => {
    const id = await own();
    const body = { altText: 'x'.repeat(501), focalPoint: { x: -0.1, y: 1.1 }, rotation: 45, filename: '/' };
    expect(problemOf(await call(ada, 'PATCH', `/media/${id}`, { body }))).toEqual([
      422,
      'validation_failed',
      '#/altText',
      '#/focalPoint/x',
      '#/focalPoint/y',
      '#/rotation',
      '#/filename',
    ]);
    expect(problemOf(await call(ada, 'PATCH', `/media/${id}`, { body: { state: 'ready' } }))).toEqual([
      422,
      'read_only_field',
      '#/state',
    ]);
    const video = await own({ kind: 'video' });
    expect(problemOf(await call(ada, 'PATCH', `/media/${video}`, { body: { rotation: 90 } }))).toEqual([
      422,
      'validation_failed',
      '#/rotation',
    ]);
  });

  test('of the rotation sends a picture to processing, once, and not while it is there', async () => {
    const id = await own();
    const rotate = (rotation: number) => call(ada, 'PATCH', `/media/${id}`, { body: { rotation } });
    expect((await rotate(90)).body).toMatchObject({ rotation: 90, state: 'processing', version: 2 });
    expect(problemOf(await rotate(180))).toEqual([409, 'invalid_transition']);
    expect((await rotate(90)).status).toBe(200);
  });
});

describe('a deletion', () => {
  test('hides the file at once, and is refused while something refers to it', async () => {
    const [id, used] = [await own(), await own({ purpose: 'avatar' })];
    expect((await call(ada, 'DELETE', `/media/${id}`)).status).toBe(204);
    expect((await call(ada, 'GET', `/media/${id}`)).status).toBe(404);
    expect((await call(ada, 'DELETE', `/media/${id}`)).status).toBe(404);
    expect(await stored(id)).toMatchObject({ state: 'deleted', withheld: true });
    expect((await call(ada, 'PATCH', '/me', { body: { avatarMediaId: used } })).body.avatarMediaId).toBe(
      used,
    );
    expect(problemOf(await call(ada, 'DELETE', `/media/${used}`))).toEqual([409, 'media_in_use']);
    expect((await call(ada, 'DELETE', `/media/${used}?detach=true`)).status).toBe(204);
    expect((await call(ada, 'GET', '/me')).body.avatarMediaId).toBeNull();
  });

  test('takes a picture out of the dealer, and a paper out of a draft but not out of what was handed in', async () => {
    const { owner } = garage;
    const logo = await ofGarage({ purpose: 'logo' });
    const pictures = { logoMediaId: logo, bannerMediaId: logo };
    const update = await call(owner, 'PATCH', `/dealers/${garage.id}`, { body: pictures });
    expect(update.body).toMatchObject(pictures);
    expect((await stored(logo))?.usage).toEqual([
      { type: 'logo', id: garage.id },
      { type: 'banner', id: garage.id },
    ]);
    expect((await call(owner, 'DELETE', `/media/${logo}?detach=true`)).status).toBe(204);
    expect((await call(owner, 'GET', `/dealers/${garage.id}`)).body).toMatchObject({
      logoMediaId: null,
      bannerMediaId: null,
    });
    const paper = await ofGarage({ purpose: 'verification', kind: 'document' });
    const documents = [{ kind: 'id', mediaId: paper }];
    await call(owner, 'PUT', `/dealers/${garage.id}/verification`, { body: { documents } });
    expect(problemOf(await call(owner, 'DELETE', `/media/${paper}`))).toEqual([409, 'media_in_use']);
    await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
      { _id: garage.id },
      { $set: { 'verification.state': 'submitted' } },
    );
    expect(problemOf(await call(owner, 'DELETE', `/media/${paper}?detach=true`))).toEqual([
      409,
      'legal_hold',
    ]);
    await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
      { _id: garage.id },
      { $set: { 'verification.state': 'draft' } },
    );
    expect((await call(owner, 'DELETE', `/media/${paper}?detach=true`)).status).toBe(204);
    const dealer = await scoped(DealerModel, shop.installation.id).findOne({ _id: garage.id });
    expect(dealer?.verification.documents).toEqual([]);
  });

  test('of what an open case holds, or is being looked at, is refused', async () => {
    const held = await own({ legalHolds: [{ type: 'report', id: 'rep_1' }] });
    expect(problemOf(await call(ada, 'DELETE', `/media/${held}?detach=true`))).toEqual([409, 'legal_hold']);
    const busy = await own({ state: 'processing' });
    expect(problemOf(await call(ada, 'DELETE', `/media/${busy}`))).toEqual([409, 'invalid_transition']);
  });

  test('and an attachment at once leave no reference to what is gone', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await own({ purpose: 'avatar' });
      const [attached, deleted] = await Promise.all([
        call(ada, 'PATCH', '/me', { body: { avatarMediaId: id } }),
        call(ada, 'DELETE', `/media/${id}`),
      ]);
      expect(Math.min(attached.status, deleted.status)).toBeLessThan(300);
      const record = await stored(id);
      const { avatarMediaId } = (await call(ada, 'GET', '/me')).body;
      expect(avatarMediaId === id).toBe(record?.state === 'ready');
      expect(record?.usage.length).toBe(record?.state === 'ready' ? 1 : 0);
    }
  });

  test('of everything somebody has follows the end of his account', async () => {
    const { platform } = rest.stack;
    const ids = [
      await own({ purpose: 'avatar', usage: [{ type: 'avatar', id: ada.id }], altText: 'Me' }),
      await own({ state: 'processing' }),
      await own({ state: 'blocked' }),
    ];
    const held = await own({ legalHolds: [{ type: 'report', id: 'rep_1' }] });
    await deleteFilesOf({ installationId: shop.installation.id, platform, userId: ada.id });
    for (const id of ids)
      expect(await stored(id)).toMatchObject({
        state: 'deleted',
        filename: 'file',
        altText: null,
        usage: [],
      });
    expect(await stored(held)).toMatchObject({ state: 'ready' });
  });
});

describe('a reference', () => {
  test('to a file of somebody else, another purpose or state, or nothing, is refused like one to nothing', async () => {
    const stranger = await shop.user();
    const refused = [
      await own({ purpose: 'avatar' }, stranger),
      await own({ purpose: 'listing' }),
      await own({ purpose: 'avatar', state: 'processing' }),
      await own({ purpose: 'avatar', state: 'deleted' }),
      'med_00000000000000000000000000',
      'nonsense',
    ];
    const answers = await Promise.all(
      refused.map((avatarMediaId) => call(ada, 'PATCH', '/me', { body: { avatarMediaId } })),
    );
    for (const answer of answers) {
      expect(problemOf(answer)).toEqual([422, 'validation_failed', '#/avatarMediaId']);
      expect(answer.body.errors).toEqual(answers[0]?.body.errors);
    }
    const body = { logoMediaId: await own({ purpose: 'logo' }), bannerMediaId: await ofGarage() };
    expect(problemOf(await call(garage.owner, 'PATCH', `/dealers/${garage.id}`, { body }))).toEqual([
      422,
      'validation_failed',
      '#/logoMediaId',
      '#/bannerMediaId',
    ]);
  });

  test('of a picture moves with the picture, and asks for the version', async () => {
    const [one, two] = [await own({ purpose: 'avatar' }), await own({ purpose: 'avatar' })];
    const set = (avatarMediaId: string | null, tag = '*') =>
      call(ada, 'PATCH', '/me', { body: { avatarMediaId }, headers: { 'if-match': tag } });
    await set(one);
    expect((await set(two, '"1-00000000"')).status).toBe(412);
    expect((await stored(two))?.usage).toEqual([]);
    await set(two);
    expect((await stored(one))?.usage).toEqual([]);
    expect((await stored(two))?.usage).toEqual([{ type: 'avatar', id: ada.id }]);
    await set(null);
    expect((await stored(two))?.usage).toEqual([]);
  });
});

describe('a download', () => {
  test('is a link to the original, good for five minutes', async () => {
    const { _id } = await stream('original');
    expect(problemOf(await call(ada, 'GET', `/media/${_id}/download`))).toEqual([409, 'media_not_ready']);
    await scoped(MediaModel, shop.installation.id).findOneAndUpdate({ _id }, { $set: { state: 'ready' } });
    const { body, headers } = await call(ada, 'GET', `/media/${_id}/download`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Date.parse(body.expiresAt) - rest.stack.platform.now()).toBeLessThanOrEqual(300_000);
    const file = await fetch(`${rest.origin}${new URL(body.url).pathname}`);
    expect([file.status, await file.text()]).toEqual([200, 'original']);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="one.jpg"');
  });

  test('of a paper by the staff is remembered, and of anything else refused', async () => {
    const moderator = await shop.staff('moderator');
    const paper = await ofGarage({ purpose: 'verification', kind: 'document' });
    expect((await call(moderator, 'GET', `/media/${paper}/download`)).status).toBe(200);
    const events = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': paper });
    expect(events).toMatchObject([{ action: 'mediaDownload', actor: { type: 'user', id: moderator.id } }]);
    expect(problemOf(await call(moderator, 'GET', `/media/${await ofGarage()}/download`))).toEqual([
      403,
      'ownership_required',
    ]);
  });
});

describe('a block', () => {
  const block = (by: SeededUser, id: string, body: object = { reason: 'Stolen' }) =>
    call(by, 'POST', `/admin/media/${id}/block`, { body });

  test('bars a file and every other one with its bytes, those that come later too, until it is taken back', async () => {
    const moderator = await shop.staff('moderator');
    const text = `the same ${ada.id}`;
    const stranger = await shop.user();
    const [one, two, three] = [
      await stream(text),
      await stream(text, { owner: { type: 'user', id: stranger.id } }),
      await stream(text, { owner: { type: 'user', id: moderator.id } }),
    ];
    for (const { _id } of [one, two])
      await scoped(MediaModel, shop.installation.id).findOneAndUpdate({ _id }, { $set: { state: 'ready' } });
    const link = (await call(ada, 'GET', `/media/${one._id}/download`)).body.url;
    expect(await block(moderator, one._id)).toMatchObject({ status: 200, body: { state: 'blocked' } });
    expect(await stored(two._id)).toMatchObject({
      state: 'blocked',
      withheld: true,
      block: { reason: 'Stolen' },
    });
    expect(await stored(three._id)).toMatchObject({ state: 'failed', failure: { code: 'content_blocked' } });
    expect((await fetch(`${rest.origin}${new URL(link).pathname}`)).status).toBe(404);
    expect(await stream(text)).toMatchObject({ state: 'failed', failure: { code: 'content_blocked' } });
    expect(problemOf(await block(moderator, one._id))).toEqual([409, 'invalid_transition']);
    expect(await block(moderator, one._id, { unblock: true })).toMatchObject({
      status: 200,
      body: { state: 'ready' },
    });
    expect(await stored(two._id)).toMatchObject({ state: 'ready', withheld: false, block: null });
    expect((await fetch(`${rest.origin}${new URL(link).pathname}`)).status).toBe(200);
    expect((await stream(text)).state).toBe('processing');
    const events = await scoped(AuditEventModel, shop.installation.id).find({ 'target.id': one._id });
    expect(events.map(({ action }) => action).sort()).toEqual(['blockMedia', 'unblockMedia']);
  });

  test('by fifty moderators at once happens once', async () => {
    const moderator = await shop.staff('moderator');
    const id = await own();
    const answers = await Promise.all(Array.from({ length: 50 }, () => block(moderator, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await stored(id)).toMatchObject({ state: 'blocked', version: 2 });
  });

  test('of what is not ready is refused, of nothing is 404, and a reason has an end', async () => {
    const moderator = await shop.staff('moderator');
    expect(problemOf(await block(moderator, await own({ state: 'awaiting_upload' })))).toEqual([
      409,
      'invalid_transition',
    ]);
    expect((await block(moderator, await own({ state: 'deleted' }))).status).toBe(404);
    expect(problemOf(await block(moderator, await own(), { reason: 'x'.repeat(501) }))).toEqual([
      422,
      'validation_failed',
      '#/reason',
    ]);
  });
});

describe('a file of bytes that this process has', () => {
  test('is stored and named, the same bytes of one owner once, and under one id once', async () => {
    const one = await stream('bytes of an import');
    const two = await stream('bytes of an import');
    expect(one).toMatchObject({ state: 'processing', filename: 'one.jpg', byteSize: 18, drafts: [] });
    expect(two.original).toBe(one.original);
    expect(two._id).not.toBe(one._id);
    expect(
      await rest.stack.platform.storage.exists(originalKey(shop.installation.id, one.original ?? '')),
    ).toBe(true);
  });

  test('that break off leave neither a file nor bytes', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('some');
        throw new Error('The line was cut.');
      })(),
    );
    const place = { installationId: shop.installation.id, platform: rest.stack.platform };
    const attempt = createMediaFromStream(place, {
      owner: { type: 'user', id: ada.id },
      purpose: 'listing',
      filename: 'x.jpg',
      contentType: 'image/jpeg',
      bytes: broken,
    });
    await expect(attempt).rejects.toThrow('The line was cut.');
    expect(await scoped(MediaModel, shop.installation.id).count({ 'owner.id': ada.id })).toBe(0);
  });
});

describe('what a crash leaves', () => {
  test('of an upload is cleared away once its time is over, also bytes that were nobody’s yet', async () => {
    const { storage, now } = rest.stack.platform;
    const name = `${ada.id}-draft`;
    const key = originalKey(shop.installation.id, name);
    await storage.put(key, Readable.from([Buffer.from('half way')]), { contentType: 'image/jpeg' });
    const upload = {
      byteSize: null,
      sha256: null,
      contentType: 'image/jpeg',
      expiresAt: new Date(now() - 600_001),
    };
    const [begun, done] = [
      await own({ state: 'awaiting_upload', drafts: [name], upload, original: null }),
      await own({ upload }),
    ];
    await rest.stack.runJob('identity.media-upkeep');
    expect(await storage.exists(key)).toBe(false);
    expect(await stored(begun)).toMatchObject({ state: 'failed', drafts: [], upload: null });
    expect(await stored(done)).toMatchObject({ state: 'ready', upload: null });
  });

  test('of a block is finished by the job', async () => {
    const { _id, sha256 } = await stream(`blocked ${ada.id}`);
    const { id: installationId } = shop.installation;
    await scoped(MediaModel, installationId).findOneAndUpdate({ _id }, { $set: { state: 'ready' } });
    const decision = {
      sha256: sha256 ?? '',
      mediaId: 'med_other',
      by: 'usr_moderator',
      reason: null,
      at: new Date(),
    };
    const block = blockId(installationId, sha256 ?? '');
    await scoped(MediaBlockModel, installationId).insert({ _id: block, ...decision, settled: false });
    await rest.stack.runJob('identity.media-upkeep');
    expect(await stored(_id)).toMatchObject({
      state: 'blocked',
      withheld: true,
      block: { by: 'usr_moderator' },
    });
    expect(await scoped(MediaBlockModel, installationId).findOne({ _id: block })).toMatchObject({
      settled: true,
    });
  });
});
