import sharp from 'sharp';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { seed } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { readPublicFileName } from '../../platform/storage/publicFile.ts';
import { buildIdentity } from '../server.ts';
import { MediaModel } from './model.ts';
import { renditionKey } from './storageKeys.ts';

let rest: RestStack;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
});
afterAll(() => rest.close());

/** A photograph that was taken on its side, by a camera that knows where it is. */
const photo = () =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#c0392b' } })
    .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

const read = async (url: string) => {
  const response = await fetch(`${rest.origin}${new URL(url).pathname}`);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

test('a photo goes in by a form, is rendered upright and without its place, shown to everybody, and barred', async () => {
  const shop = await seed(rest.stack).in(rest.stack.demo);
  const [anna, moderator] = [await shop.user(), await shop.staff('moderator')];
  const form = new FormData();
  form.append('purpose', 'avatar');
  form.append('file', new Blob([new Uint8Array(await photo())], { type: 'image/jpeg' }), 'me.jpg');
  const headers = { authorization: `Bearer ${anna.token}` };
  const posted = await fetch(`${rest.origin}/api/v1/media`, { method: 'POST', headers, body: form });
  const { id } = await posted.json();
  await rest.stack.runJob('identity.media-processing');
  const { body: ready } = await rest.call('GET', `/api/v1/media/${id}`, { token: anna.token });
  expect(ready).toMatchObject({
    state: 'ready',
    width: 600,
    height: 900,
    contentType: 'image/jpeg',
    failure: null,
  });
  const widths = ready.renditions.map(({ name, width }: any) => `${name} ${width}`);
  expect(new Set(widths)).toEqual(new Set(['thumb 320', 'small 600', 'medium 600', 'large 600']));
  expect(ready.blurHash).toMatch(/^.{6,}$/);
  const set = { token: anna.token, body: { avatarMediaId: id } };
  expect((await rest.call('PATCH', '/api/v1/me', set)).body.avatarMediaId).toBe(id);
  const [{ url }] = ready.renditions;
  const shown = await read(url);
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect((await sharp(shown.bytes).metadata()).exif).toBeUndefined();
  const rotate = { token: anna.token, body: { rotation: 90 } };
  expect((await rest.call('PATCH', `/api/v1/media/${id}`, rotate)).body.state).toBe('processing');
  await rest.stack.runJob('identity.media-processing');
  const turned = (await rest.call('GET', `/api/v1/media/${id}`, { token: anna.token })).body;
  expect(turned).toMatchObject({ state: 'ready', width: 900, height: 600 });
  const block = { token: moderator.token, body: { reason: 'Somebody else' } };
  expect((await rest.call('POST', `/api/v1/admin/media/${id}/block`, block)).status).toBe(200);
  expect((await read(turned.renditions[0].url)).status).toBe(404);
  const unblock = { token: moderator.token, body: { unblock: true } };
  await rest.call('POST', `/api/v1/admin/media/${id}/block`, unblock);
  expect((await read(turned.renditions[0].url)).status).toBe(200);
  const name = readName(turned.renditions[0].url);
  expect((await rest.call('DELETE', `/api/v1/media/${id}?detach=true`, { token: anna.token })).status).toBe(
    204,
  );
  expect((await read(turned.renditions[0].url)).status).toBe(404);
  rest.stack.advance(31 * 24 * 3600 * 1000);
  await rest.stack.runJob('identity.media-purge');
  const { demo, platform } = rest.stack;
  const key = renditionKey({ installationId: demo.id, _id: id, purpose: 'avatar' }, name);
  expect(await platform.storage.exists(key)).toBe(false);
  expect((await scoped(MediaModel, demo.id).findOne({ _id: id }))?.state).toBe('purged');
});

function readName(url: string) {
  const file = readPublicFileName(url.split('/').at(-1) ?? '');
  if (!file) throw new Error(`${url} leads to no public file.`);
  return file;
}
