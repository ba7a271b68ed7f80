import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestApp, type TestApp } from '../../../test/support/openTestApp.ts';
import { type SeededInstallation, seed } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countViews } from './countViews.ts';
import { ListingViewsModel, ViewBatchModel } from './model.ts';
import { ViewBuffer, viewBufferOf } from './ViewBuffer.ts';

const day = 24 * 3600 * 1000;

let app: TestApp;
let shop: SeededInstallation;

beforeAll(async () => {
  app = await openTestApp();
  shop = await seed(app.stack).in(app.stack.demo);
});
afterAll(() => app.close());

const look = (idOrSlug: string, { token, agent = 'Firefox' }: { token?: string; agent?: string } = {}) =>
  app.send({
    path: `/api/v1/catalog/listings/${idOrSlug}`,
    token,
    headers: [['user-agent', agent]],
  });
const settle = async () => {
  await viewBufferOf(app.stack.platform).flush();
  await app.stack.runJob(countViews.name);
};
const statsOf = async (id: string, token: string) => {
  await settle();
  const { status, json } = await app.send({ path: `/api/v1/listings/${id}`, token });
  expect(status).toBe(200);
  return json.stats;
};

test('a listing tells its owner how often it was looked at, day by day, and who saved it', async () => {
  const [anna, buyer] = [await shop.user(), await shop.user()];
  const { id, slug } = await anna.listing({ published: true });
  expect(await statsOf(id, anna.token)).toEqual({ views: 0, favorites: 0, conversations: 0, last30d: [] });
  for (const name of [id, slug ?? '', id]) expect((await look(name)).status).toBe(200);
  expect((await look(id, { token: buyer.token })).status).toBe(200);
  await app.send({ method: 'PUT', path: `/api/v1/me/favorites/${id}`, token: buyer.token, body: {} });
  const date = new Date(app.stack.platform.now()).toISOString().slice(0, 10);
  expect(await statsOf(id, anna.token)).toEqual({
    views: 4,
    favorites: 1,
    conversations: 0,
    last30d: [{ date, views: 4 }],
  });
});

test('neither the seller, nor his colleagues, nor programs that say what they are count', async () => {
  const colleague = await shop.user();
  const garage = await shop.dealer({ members: [{ userId: colleague.id, role: 'agent' }] });
  const { id } = await garage.listing({ published: true });
  for (const by of [garage.owner, colleague]) expect((await look(id, { token: by.token })).status).toBe(200);
  for (const agent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'Mozilla/5.0 HeadlessChrome/120',
    'AhrefsBot/7.0',
  ])
    expect((await look(id, { agent })).status).toBe(200);
  expect(await statsOf(id, garage.owner.token)).toMatchObject({ views: 0 });
  expect((await look(id, { agent: 'Mozilla/5.0 (Cubot X19) Mobile' })).status).toBe(200);
  expect(await statsOf(id, garage.owner.token)).toMatchObject({ views: 1 });
});

test('what nobody is shown counts nothing', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing();
  expect((await look(id)).status).toBe(404);
  expect(await statsOf(id, anna.token)).toMatchObject({ views: 0 });
});

test('a view costs no write, and a second full of them one', async () => {
  const anna = await shop.user();
  const ids = await Promise.all(
    Array.from({ length: 3 }, async () => (await anna.listing({ published: true })).id),
  );
  await settle();
  const looking = await commandsOf(() => Promise.all(ids.map((id) => look(id))));
  expect(looking.filter((command) => /listing_view|^(insert|update|bulkWrite)/.test(command))).toEqual([]);
  const storing = await commandsOf(() => viewBufferOf(app.stack.platform).flush());
  expect(storing).toEqual(['insert listing_view_batches']);
});

test('views of many processes are added up, each batch once, however often it is stored and counted', async () => {
  const { stack } = app;
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  const buffers = Array.from({ length: 8 }, () => new ViewBuffer(stack.platform));
  for (let view = 0; view < 1000; view += 1) buffers[view % 8]?.add(shop.installation.id, id);
  await Promise.all(buffers.flatMap((buffer) => [buffer.flush(), buffer.flush()]));
  const batches = await scoped(ViewBatchModel, shop.installation.id).find({});
  // A write whose answer was lost is made again.
  await scoped(ViewBatchModel, shop.installation.id).insertAbsent(batches);
  await Promise.all([stack.runJob(countViews.name), stack.runJob(countViews.name)]);
  expect(await statsOf(id, anna.token)).toMatchObject({ views: 1000 });
  expect(await scoped(ViewBatchModel, shop.installation.id).count({})).toBe(0);
});

test('what is waiting when a process stops is stored', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  const buffer = new ViewBuffer(app.stack.platform);
  buffer.add(shop.installation.id, id);
  await buffer.close();
  expect(await statsOf(id, anna.token)).toMatchObject({ views: 1 });
});

test('days are shown for thirty days, and no more of them are kept than that', async () => {
  const anna = await shop.user();
  const { id } = await anna.listing({ published: true });
  const { stack } = app;
  let time = stack.platform.now() - 40 * day;
  const buffer = new ViewBuffer({ ...stack.platform, now: () => time });
  for (let past = 40; past >= 0; past -= 1) {
    buffer.add(shop.installation.id, id);
    await buffer.flush();
    time += day;
  }
  const { views, last30d } = await statsOf(id, anna.token);
  expect([views, last30d.length]).toEqual([41, 30]);
  expect(last30d.at(-1).date).toBe(new Date(stack.platform.now()).toISOString().slice(0, 10));
  const record = await scoped(ListingViewsModel, shop.installation.id).findOne({ _id: id });
  expect(record?.days).toHaveLength(31);
});

test('numbers of a page of listings cost two commands, however many listings there are', async () => {
  const anna = await shop.user();
  for (let count = 0; count < 5; count += 1) await anna.listing();
  const commands = await commandsOf(() => app.send({ path: '/api/v1/listings', token: anna.token }));
  expect(commands.filter((command) => /listing_views|favorites/.test(command))).toEqual([
    'aggregate favorites',
    'find listing_views',
  ]);
});
