import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import {
  completeListing,
  type SeededDealer,
  type SeededInstallation,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel } from '../listing/model.ts';
import { MediaModel } from '../media/model.ts';
import { buildIdentity } from '../server.ts';
import { fetchImage } from './fetchImage.ts';
import { StockImagesModel } from './model.ts';
import { stockImagesJob } from './wantImages.ts';

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;
let server: Server;
let origin: string;
let asked: string[] = [];
const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

beforeAll(async () => {
  rest = await openRestStack([buildIdentity], { allowPrivateIssuers: true });
  shop = await seed(rest.stack).in(rest.stack.demo);
  garage = await shop.dealer();
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.get(request.url ?? '');
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, color] of [
    ['red', '#f00'],
    ['green', '#0f0'],
    ['blue', '#00f'],
  ] as const) {
    const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: color } })
      .jpeg()
      .toBuffer();
    answers.set(`/${name}.jpg`, (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(image);
    });
  }
  answers.set('/moved', (_, response) => void response.writeHead(302, { location: '/red.jpg' }).end());
  answers.set('/round', (_, response) => void response.writeHead(302, { location: '/round' }).end());
  answers.set(
    '/page',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  );
  answers.set(
    '/fake.jpg',
    (_, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).end('no image'),
  );
  answers.set('/large.jpg', (_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 16 * 1024 * 1024 });
    response.write('x');
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rest.close();
});
beforeEach(() => {
  asked = [];
});

const put = (number: string, body: object) =>
  rest.call('PUT', `/api/v1/dealers/${garage.id}/inventory/${number}`, { token: garage.owner.token, body });
const car = () => ({ ...completeListing(shop.categories), condition: 'used', publish: true });
const at = (...names: string[]) => names.map((name) => `${origin}/${name}`);

/** Fetches, looks at, and gives. */
async function work(): Promise<void> {
  await rest.stack.runJob(stockImagesJob);
  await rest.stack.runJob('identity.media-processing');
  rest.stack.advance(5000);
  await rest.stack.runJob(stockImagesJob);
}

const listingOf = (_id: string) => ListingModel.findOne({ _id, installationId: 'ins_demo' }).lean();

/** As it is stored: the clock of these tests runs ahead of their tokens. */
async function shown(stockNumber: string): Promise<[string, string | null][]> {
  const listing = await ListingModel.findOne({ stockNumber, installationId: 'ins_demo' }).lean();
  const record = await StockImagesModel.findOne({
    _id: listing?._id ?? '',
    installationId: 'ins_demo',
  }).lean();
  return (record?.images ?? []).map(({ state, failure }) => [state, failure?.code ?? null]);
}

test('images are fetched once, in the order of the stock, and stand in the catalogue', async () => {
  const number = unique('A');
  const imageUrls = at('red.jpg', 'green.jpg', 'moved');
  const { body } = await put(number, { ...car(), imageUrls });
  expect(body.stockImages.map(({ state }: { state: string }) => state)).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
  await work();
  expect(await shown(number)).toEqual([
    ['taken', null],
    ['taken', null],
    ['taken', null],
  ]);
  const listing = await listingOf(body.id);
  expect(listing?.media).toHaveLength(3);
  const files = await MediaModel.find({ installationId: 'ins_demo', 'usage.id': body.id }).lean();
  expect(files.map(({ owner, purpose, state }) => [owner.id, purpose, state])).toEqual(
    Array.from({ length: 3 }, () => [garage.id, 'listing', 'ready']),
  );
  const copy = await CatalogListingModel.findOne({ _id: body.id, installationId: 'ins_demo' }).lean();
  expect(copy?.hasImages).toBe(true);
  const before = asked.length;
  await put(number, { imageUrls });
  await work();
  expect(asked).toHaveLength(before);
  await put(number, { imageUrls: [...imageUrls].reverse() });
  await work();
  expect(asked).toHaveLength(before);
  expect((await listingOf(body.id))?.media.map(({ mediaId }) => mediaId)).toEqual(
    listing?.media.map(({ mediaId }) => mediaId).reverse(),
  );
}, 60_000);

test('what cannot be had is said, and the others are given all the same', async () => {
  const number = unique('B');
  const { body } = await put(number, {
    ...car(),
    imageUrls: at('missing.jpg', 'page', 'large.jpg', 'blue.jpg', 'fake.jpg'),
  });
  await work();
  const states = await shown(number);
  expect(states.map(([state]) => state)).toEqual(['failed', 'failed', 'failed', 'taken', 'failed']);
  expect(states.slice(0, 3).map(([, code]) => code)).toEqual([
    'not_found',
    'unsupported_media_type',
    'file_too_large',
  ]);
  expect((await listingOf(body.id))?.media).toHaveLength(1);
}, 60_000);

test('an empty list takes the images away, a list that is left out leaves them', async () => {
  const number = unique('D');
  const { body } = await put(number, { ...car(), imageUrls: at('green.jpg') });
  await work();
  await put(number, { title: 'Another title of it' });
  await work();
  expect((await listingOf(body.id))?.media).toHaveLength(1);
  await put(number, { imageUrls: [] });
  await work();
  expect((await listingOf(body.id))?.media).toEqual([]);
}, 60_000);

test('addresses are looked at by their text first, each with its pointer', async () => {
  const answer = await put(unique('E'), {
    ...car(),
    imageUrls: ['https://a@example.test/a.jpg', ...at('red.jpg'), 'https://user:pw@example.test/a.jpg'],
  });
  expect([answer.status, answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['#/imageUrls/0', '#/imageUrls/2'],
  ]);
  const many = await put(unique('F'), {
    ...car(),
    imageUrls: Array.from({ length: 31 }, (_, i) => `${origin}/${i}`),
  });
  expect([many.status, many.body.errors[0].code]).toEqual([422, 'too_many_media']);
});

test('nothing is fetched from an address that is not public, also not by a redirect', async () => {
  for (const url of [
    ...at('red.jpg'),
    'https://127.0.0.1/a.jpg',
    'https://169.254.169.254/latest',
    'https://[::1]/a',
  ])
    await expect(fetchImage(url, false)).rejects.toThrow(/not public|https URL/);
  await expect(fetchImage('https://localhost/a.jpg', false)).rejects.toThrow(/not public/);
  expect(asked).toEqual([]);
  answers.set(
    '/inside',
    (_, response) => void response.writeHead(302, { location: 'ftp://127.0.0.1/x' }).end(),
  );
  await expect(fetchImage(`${origin}/inside`, true)).rejects.toThrow(/https URL/);
  await expect(fetchImage(`${origin}/page`, true)).rejects.toThrow(AppError);
});

test('a feed names images, too', async () => {
  const number = unique('G');
  const started = await rest.call('POST', `/api/v1/dealers/${garage.id}/listing-imports`, {
    token: garage.owner.token,
    headers: { 'content-type': 'text/csv' },
    text: `stockNumber,title,imageUrls\n${number},A car with images,${at('red.jpg', 'blue.jpg').join(' | ')}\n`,
  });
  expect(started.status).toBe(202);
  await rest.stack.runJob('identity.listing-imports');
  await work();
  expect(await shown(number)).toEqual([
    ['taken', null],
    ['taken', null],
  ]);
}, 60_000);

test('a server that is down is asked again, but not for ever', async () => {
  const number = unique('C');
  let isDown = true;
  const image = answers.get('/red.jpg');
  answers.set('/flaky.jpg', (request, response) =>
    isDown ? void response.writeHead(503).end() : image?.(request, response),
  );
  await put(number, { ...car(), imageUrls: at('flaky.jpg', 'round') });
  await work();
  expect(await shown(number)).toEqual([
    ['pending', 'fetch_failed'],
    ['pending', 'fetch_failed'],
  ]);
  isDown = false;
  for (let hour = 0; hour < 5; hour += 1) {
    rest.stack.advance(3_600_000);
    await work();
  }
  expect(await shown(number)).toEqual([
    ['taken', null],
    ['failed', 'fetch_failed'],
  ]);
}, 60_000);
