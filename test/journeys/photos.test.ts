import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type Download, download } from '../support/download.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let owner: SeededUser;
let moderator: SeededUser;
let photo: Buffer;

beforeAll(async () => {
  app = await openTestApp();
  const shop = await seed(app.stack).in(app.stack.demo);
  owner = await shop.user();
  moderator = await shop.staff('moderator');
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 1600, height: 1200, channels: 3, background: '#888888', noise } as const;
  photo = await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}, 60_000);
afterAll(() => app.close());

/** Uploads the photo in a form and has it worked on; answers what its owner sees. */
async function publish(purpose: string, bytes = photo): Promise<any> {
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'car.jpg');
  const { headers, body } = await toRequest(form);
  const created = await app.send({
    method: 'POST',
    path: '/api/v1/media',
    token: owner.token,
    headers,
    body,
  });
  expect([created.status, created.json]).toMatchObject([201, { state: 'processing' }]);
  await app.stack.runJob('identity.media-processing');
  return read(created.json.id);
}

async function toRequest(form: FormData): Promise<{ headers: [string, string][]; body: Buffer }> {
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: [['content-type', type]], body: Buffer.from(await encoded.arrayBuffer()) };
}

const read = async (id: string): Promise<any> =>
  (await app.send({ path: `/api/v1/media/${id}`, token: owner.token })).json;

/** Follows a link of an answer as a browser would, without a token. */
function follow(url: string, headers: Record<string, string> = {}): Promise<Download> {
  expect(url).toMatch(/^http:\/\/demo\.localhost\/api\/v1\/files\/[\w.-]+$/);
  return download(app.port, new URL(url).pathname, { host: 'demo.localhost', ...headers });
}

const block = (mediaId: string, unblock = false) =>
  app.send({
    method: 'POST',
    path: `/api/v1/admin/media/${mediaId}/block`,
    token: moderator.token,
    body: unblock ? { unblock } : { reason: 'forged' },
  });

test('a photo that is uploaded is shown to everybody, upright and in every size', async () => {
  const media = await publish('listing');
  expect(media).toMatchObject({ state: 'ready', kind: 'image', width: 1200, height: 1600 });
  expect(media.renditions).toHaveLength(8);
  for (const { url, width, height, byteSize } of media.renditions) {
    const { status, headers, bytes } = await follow(url);
    expect([status, bytes.length]).toEqual([200, byteSize]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(url).toContain(sha256);
    expect(headers).toMatchObject({
      etag: `"${sha256}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const found = await sharp(bytes).metadata();
    expect([found.width, found.height, headers['content-type']]).toEqual([
      width,
      height,
      `image/${found.format}`,
    ]);
    expect((await follow(url, { 'if-none-match': `"${sha256}"` })).status).toBe(304);
    const part = await follow(url, { range: 'bytes=10-19', 'if-range': `"${sha256}"` });
    expect([part.status, part.bytes.equals(bytes.subarray(10, 20))]).toEqual([206, true]);
  }
});

test('a photo that is blocked is gone at once, also by links from before, and back when it is unblocked', async () => {
  const media = await publish('listing', Buffer.concat([photo, Buffer.alloc(20)]));
  const download = await app.send({ path: `/api/v1/media/${media.id}/download`, token: owner.token });
  const links = [media.renditions[0].url, download.json.url];
  const statuses = async () =>
    (await Promise.all(links.map((url) => follow(url)))).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200]);
  expect((await block(media.id)).status).toBe(200);
  expect(await statuses()).toEqual([404, 404]);
  expect((await follow(links[0], { 'if-none-match': '*' })).status).toBe(404);
  expect((await block(media.id, true)).status).toBe(200);
  expect(await statuses()).toEqual([200, 200]);
});

test('a photo that is turned has new addresses, and one that is deleted has none', async () => {
  const media = await publish('listing', Buffer.concat([photo, Buffer.alloc(30)]));
  const turned = await app.send({
    method: 'PATCH',
    path: `/api/v1/media/${media.id}`,
    token: owner.token,
    headers: [['content-type', 'application/merge-patch+json']],
    body: JSON.stringify({ rotation: 90 }),
  });
  expect(turned.status).toBe(200);
  await app.stack.runJob('identity.media-processing');
  const after = await read(media.id);
  expect(after).toMatchObject({ state: 'ready', width: 1600, height: 1200 });
  expect((await follow(media.renditions[0].url)).status).toBe(404);
  const { url } = after.renditions[0];
  expect((await follow(url)).status).toBe(200);
  const gone = await app.send({ method: 'DELETE', path: `/api/v1/media/${media.id}`, token: owner.token });
  expect(gone.status).toBe(204);
  expect((await follow(url)).status).toBe(404);
});

test('a file that is no photo fails, and says why', async () => {
  const media = await publish('listing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  expect(media).toMatchObject({ state: 'failed', failure: { code: 'svg_not_allowed' }, renditions: [] });
});

// The clock that it moves ends every session.
test('a photo that nobody else may see is shown by signed links alone, for a while', async () => {
  const media = await publish('message', Buffer.concat([photo, Buffer.alloc(10)]));
  const [{ url, byteSize }] = media.renditions;
  const { status, headers, bytes } = await follow(url);
  expect([status, bytes.length, headers['cache-control']]).toEqual([200, byteSize, 'private, no-store']);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const ending of ['webp', 'jpg'])
    expect((await follow(`http://demo.localhost/api/v1/files/${media.id}-${sha256}.${ending}`)).status).toBe(
      404,
    );
  app.stack.advance(3600 * 1000);
  expect((await follow(url)).status).toBe(404);
});
