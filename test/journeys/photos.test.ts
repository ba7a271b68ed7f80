import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type Download, download } from '../support/download.ts';
import { perFile, perTest, product } from '../support/product.ts';

// A separate stack, because other tests store files without bytes on the shared one, which the job would process.
const world = product({});
const { market } = world;
let photo: Buffer;
let smallPhoto: Buffer;

/**
 * A photo with an orientation tag. It has one colour and few pixels, because photos are rendered at a low priority,
 * and expensive ones would exceed the time limit of a test on a busy machine.
 */
const paint = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#884422' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

const moderator = perFile(() => market.staff('moderator'));
beforeAll(async () => {
  [photo, smallPhoto] = [await paint(1600, 1200), await paint(320, 240)];
});
const owner = perTest(() => market.user());

/** Uploads bytes in a form and processes them. Returns the media as their owner reads it. */
async function upload(purpose: string, bytes = photo): Promise<any> {
  const body = new FormData();
  body.append('purpose', purpose);
  body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'car.jpg');
  const created = await owner.rest('POST', '/api/v1/media', { body });
  expect(created).toMatchObject({ status: 201, body: { state: 'processing' } });
  await world.stack.runJob('identity.media-processing');
  return read(created.body.id);
}
/** The small photo with trailing bytes, which make its content different from that of other tests. */
const another = (length: number) => Buffer.concat([smallPhoto, Buffer.alloc(length)]);
const read = async (id: string): Promise<any> => (await owner.rest('GET', `/api/v1/media/${id}`)).body;

/** Downloads from a link without a token, as a browser does. */
async function follow(url: string, headers: Record<string, string> = {}): Promise<Download> {
  const [host = ''] = market.installation.hosts;
  const { pathname, origin } = new URL(url);
  expect(origin).toBe(`http://${host}`);
  expect(pathname).toMatch(/^\/api\/v1\/files\/[\w.-]+$/);
  return download(await world.stack.port(), pathname, { host, ...headers });
}
const statusOf = async (url: string) => (await follow(url)).status;
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('an uploaded photo is served to visitors upright, in every size, with caching and ranges', async () => {
  const media = await upload('listing');
  expect(media).toMatchObject({ state: 'ready', kind: 'image', width: 1200, height: 1600 });
  expect(media.renditions).toHaveLength(8);
  for (const { url, width, height, byteSize } of media.renditions) {
    const { status, headers, bytes } = await follow(url);
    expect([status, bytes.length]).toEqual([200, byteSize]);
    const etag = `"${sha256Of(bytes)}"`;
    expect(url).toContain(sha256Of(bytes));
    const found = await sharp(bytes).metadata();
    expect([found.width, found.height]).toEqual([width, height]);
    expect(headers).toMatchObject({
      etag,
      'content-type': `image/${found.format}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await follow(url, { 'if-none-match': etag })).status).toBe(304);
    const part = await follow(url, { range: 'bytes=10-19', 'if-range': etag });
    expect([part.status, part.bytes.equals(bytes.subarray(10, 20))]).toEqual([206, true]);
  }
});

test('a blocked photo returns 404 at once, also for earlier links, until it is unblocked', async () => {
  const { id: mediaId, renditions } = await upload('listing', another(20));
  const { url } = await owner.mediaDownload({ mediaId });
  const links = [renditions[0].url, url];
  const statuses = () => Promise.all(links.map(statusOf));
  expect(await statuses()).toEqual([200, 200]);
  await moderator.blockMedia({ mediaId, reason: 'forged' });
  expect(await statuses()).toEqual([404, 404]);
  expect((await follow(links[0], { 'if-none-match': '*' })).status).toBe(404);
  await moderator.blockMedia({ mediaId, unblock: true });
  expect(await statuses()).toEqual([200, 200]);
});

test('a rotated photo is served at a new address only, and a deleted one at none', async () => {
  const media = await upload('listing', another(30));
  await owner.updateMedia({ mediaId: media.id, rotation: 90 });
  await world.stack.runJob('identity.media-processing');
  const rotated = await read(media.id);
  expect(rotated).toMatchObject({ state: 'ready', width: 320, height: 240 });
  const { url } = rotated.renditions[0];
  expect([await statusOf(media.renditions[0].url), await statusOf(url)]).toEqual([404, 200]);
  await owner.deleteMedia({ mediaId: media.id });
  expect(await statusOf(url)).toBe(404);
});

test('a private photo is served only through signed links, which expire after an hour', async () => {
  const media = await upload('message', another(10));
  const [{ url, byteSize }] = media.renditions;
  const { status, headers, bytes } = await follow(url);
  expect([status, bytes.length, headers['cache-control']]).toEqual([200, byteSize, 'private, no-store']);
  const name = `${media.id}-${sha256Of(bytes)}`;
  for (const ending of ['webp', 'jpg'])
    expect(await statusOf(new URL(`/api/v1/files/${name}.${ending}`, url).href)).toBe(404);
  world.stack.advance(3600 * 1000);
  expect(await statusOf(url)).toBe(404);
});
