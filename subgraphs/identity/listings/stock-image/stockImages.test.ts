import { createServer, type RequestListener } from 'node:http';
import sharp from 'sharp';
import { perFile, product } from '../../../../test/support/product.ts';
import { completeListing, unique } from '../../../../test/support/seed.ts';
import { type LocalServer, listenLocally } from '../../../../test/support/servers/listenLocally.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { MediaModel } from '../../media/model.ts';
import { recordsOf } from '../listing/fixture/recordsOf.ts';
import { fetchImage } from './fetchImage.ts';
import { StockImagesModel } from './model.ts';
import { stockImagesJob } from './requestImages.ts';

// The server of the images is on the loopback.
const { market, stack } = product({ allowPrivateIssuers: true });
const { listings, stored, copyOf } = recordsOf(market);
let server: LocalServer;
let origin: string;
/** The paths that the product has requested since the test began. */
let requested: string[] = [];
let number: string;

const pictureIn = (background: string) =>
  sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
const redirect = (location: string): RequestListener => {
  return (_, response) => void response.writeHead(302, { location }).end();
};
const send = (body: Buffer | string, type = 'image/jpeg'): RequestListener => {
  return (_, response) => void response.writeHead(200, { 'content-type': type }).end(body);
};
const answers: Record<string, RequestListener> = {
  '/moved': redirect('/red.jpg'),
  '/round': redirect('/round'),
  '/inside': redirect('ftp://127.0.0.1/x'),
  '/page': send('<html>', 'text/html'),
  '/fake.jpg': send('no image'),
  '/large.jpg': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 16 * 1024 * 1024 });
    response.write('x');
  },
};

const garage = perFile(() => market.dealer());
beforeAll(async () => {
  for (const color of ['red', 'green', 'blue']) answers[`/${color}.jpg`] = send(await pictureIn(color));
  const images = createServer((request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    const answer = answers[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server = await listenLocally(images);
  origin = server.url;
});
afterAll(() => server.close());
beforeEach(() => {
  requested = [];
  number = unique('A');
});

const put = (members: object) =>
  garage.owner.rest('PUT', `/api/v1/dealers/${garage.id}/inventory/${number}`, { body: members });
const create = (imageUrls: readonly string[]) =>
  put({ ...completeListing(market.categories), condition: 'used', publish: true, imageUrls });
const at = (...names: string[]) => names.map((name) => `${origin}/${name}`);
const mediaOf = async (id: string) => (await stored(id)).media.map(({ mediaId }) => mediaId);

/** Fetches, processes and attaches the images. */
async function work(): Promise<void> {
  await stack.runJob(stockImagesJob);
  await stack.runJob('identity.media-processing');
  stack.advance(5000);
  await stack.runJob(stockImagesJob);
}

/** The stored state and failure of each image. They are not read by an operation, because the tokens have expired. */
async function imageStates(): Promise<[string, string | null][]> {
  const listing = await listings().findOne({ stockNumber: number });
  const records = market.records(StockImagesModel);
  const record = await records.findOne({ _id: listing?._id ?? '' });
  return (record?.images ?? []).map(({ state, failure }) => [state, failure?.code ?? null]);
}
const taken = ['taken', null];

test('stock images are fetched once and attached in the stated order', async () => {
  const imageUrls = at('red.jpg', 'green.jpg', 'moved');
  const { body } = await create(imageUrls);
  expect(body.stockImages).toMatchObject(imageUrls.map(() => ({ state: 'pending' })));
  await work();
  expect(await imageStates()).toEqual([taken, taken, taken]);
  const media = await mediaOf(body.id);
  const files = await market.records(MediaModel).find({ 'usage.id': body.id });
  const file = { owner: { id: garage.id }, purpose: 'listing', state: 'ready' };
  expect(files).toMatchObject([file, file, file]);
  expect(await copyOf(body.id)).toMatchObject({ hasImages: true });
  const before = requested.length;
  await put({ imageUrls });
  await work();
  await put({ imageUrls: imageUrls.toReversed() });
  await work();
  expect(requested).toHaveLength(before);
  expect(await mediaOf(body.id)).toEqual(media.toReversed());
});

test('a stock image that cannot be fetched has a failure, and the others are attached', async () => {
  const { body } = await create(at('missing.jpg', 'page', 'large.jpg', 'blue.jpg', 'fake.jpg'));
  await work();
  expect(await imageStates()).toEqual([
    ['failed', 'not_found'],
    ['failed', 'unsupported_media_type'],
    ['failed', 'file_too_large'],
    taken,
    ['failed', expect.any(String)],
  ]);
  expect(await mediaOf(body.id)).toHaveLength(1);
});

test('an empty list removes the stock images, and an absent list keeps them', async () => {
  const { body } = await create(at('green.jpg'));
  await work();
  await put({ title: 'Another title of it' });
  await work();
  expect(await mediaOf(body.id)).toHaveLength(1);
  await put({ imageUrls: [] });
  await work();
  expect(await mediaOf(body.id)).toEqual([]);
});

test('invalid image addresses, and more than thirty addresses, are refused', async () => {
  const [wrong, other] = ['https://a@example.test/a.jpg', 'https://user:pw@example.test/a.jpg'];
  const errors = [{ pointer: '#/imageUrls/0' }, { pointer: '#/imageUrls/2' }];
  expect(await create([wrong, ...at('red.jpg'), other])).toBeRefused(422, 'validation_failed', { errors });
  const many = Array.from({ length: 31 }, (_, index) => `${origin}/${index}`);
  expect(await create(many)).toBeRefused(422, undefined, { errors: [{ code: 'too_many_media' }] });
});

test('an image at an address that is not public is not fetched, also after a redirect', async () => {
  const urls = ['https://127.0.0.1/a.jpg', 'https://169.254.169.254/latest', 'https://[::1]/a'];
  for (const url of [...at('red.jpg'), ...urls, 'https://localhost/a.jpg'])
    await expect(fetchImage(url, false)).rejects.toThrow(/not public|https URL/);
  expect(requested).toEqual([]);
  await expect(fetchImage(`${origin}/inside`, true)).rejects.toThrow(/https URL/);
  await expect(fetchImage(`${origin}/page`, true)).rejects.toThrow(AppError);
});

test('an import fetches the images of its rows', async () => {
  const row = `${number},A car with images,${at('red.jpg', 'blue.jpg').join(' | ')}`;
  const content = `stockNumber,title,imageUrls\n${row}\n`;
  const feed = { dealerId: garage.id, content, format: 'CSV' } as const;
  expect(await garage.owner.startListingImport(feed)).not.toBeRefused();
  await stack.runJob('identity.listing-imports');
  await work();
  expect(await imageStates()).toEqual([taken, taken]);
});

test('an image that could not be fetched is retried several times', async () => {
  let isDown = true;
  answers['/flaky.jpg'] = (request, response) =>
    isDown ? void response.writeHead(503).end() : answers['/red.jpg']?.(request, response);
  await create(at('flaky.jpg', 'round'));
  await work();
  const failing = ['pending', 'fetch_failed'];
  expect(await imageStates()).toEqual([failing, failing]);
  isDown = false;
  for (let hour = 0; hour < 5; hour += 1) {
    stack.advance(3_600_000);
    await work();
  }
  expect(await imageStates()).toEqual([taken, ['failed', 'fetch_failed']]);
});
