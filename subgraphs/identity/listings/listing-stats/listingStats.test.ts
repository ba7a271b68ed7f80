import { perTest, product } from '../../../../test/support/product.ts';
import type { Caller } from '../../../../test/support/seed.ts';
import { commandsOf, commandsSettled } from '../../../../test/support/stack/commandsOf.ts';
import { ListingViewsModel } from './model.ts';
import { ViewBuffer, viewBufferOf } from './ViewBuffer.ts';

const dayMs = 24 * 3600 * 1000;
const { market, stack } = product();

const anna = perTest(() => market.user());

const view = (idOrSlug: string, by: Caller = market.visitor, agent = 'Firefox') =>
  by.rest('GET', `/api/v1/catalog/listings/${idOrSlug}`, { headers: { 'user-agent': agent } });
const flush = () => viewBufferOf(stack.platform).flush();
const statsOf = async (listingId: string, by = anna) => {
  await flush();
  return (await by.api.listing({ listingId })).stats;
};
const today = () => new Date(stack.platform.now()).toISOString().slice(0, 10);

test('an owner reads the views of a listing by day, and the number of users who saved it', async () => {
  const buyer = await market.user();
  const { id, slug } = await anna.listing({ published: true });
  expect(await statsOf(id)).toEqual({ views: 0, favorites: 0, conversations: 0, last30d: [] });
  for (const name of [id, slug ?? '', id]) await view(name);
  await view(id, buyer);
  await buyer.addFavorite({ listingId: id });
  const last30d = [{ date: today(), views: 4 }];
  expect(await statsOf(id)).toEqual({ views: 4, favorites: 1, conversations: 0, last30d });
});

test('views of the seller, of members of the dealer and of declared bots are not counted', async () => {
  const member = await market.user();
  const { owner, listing } = await market.dealer({ members: [{ userId: member.id, role: 'agent' }] });
  const { id } = await listing({ published: true });
  for (const by of [owner, member]) expect((await view(id, by)).status).toBe(200);
  for (const agent of [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'Mozilla/5.0 HeadlessChrome/120',
    'AhrefsBot/7.0',
  ])
    expect((await view(id, market.visitor, agent)).status).toBe(200);
  expect(await statsOf(id, owner)).toMatchObject({ views: 0 });
  await view(id, market.visitor, 'Mozilla/5.0 (Cubot X19) Mobile');
  expect(await statsOf(id, owner)).toMatchObject({ views: 1 });
});

test('a request for a draft is not counted as a view', async () => {
  const { id } = await anna.listing();
  expect((await view(id)).status).toBe(404);
  expect(await statsOf(id)).toMatchObject({ views: 0 });
});

test('views are buffered, and stored by one write', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) ids.push((await anna.listing({ published: true })).id);
  await flush();
  const viewing = await commandsOf(() => Promise.all(ids.map((id) => view(id))));
  expect(viewing.filter((command) => /listing_view|^(insert|update|bulkWrite)/.test(command))).toEqual([]);
  expect(await commandsSettled(flush)).toEqual(['update listing_views']);
});

test('views that several processes store concurrently are added', async () => {
  const { id } = await anna.listing({ published: true });
  const buffers = Array.from({ length: 8 }, () => new ViewBuffer(stack.platform));
  for (let index = 0; index < 1000; index += 1) buffers[index % 8]?.add(market.installation.id, id);
  await Promise.all(buffers.flatMap((buffer) => [buffer.flush(), buffer.flush()]));
  expect(await statsOf(id)).toMatchObject({ views: 1000, last30d: [{ date: today(), views: 1000 }] });
});

test('a process that stops stores its buffered views', async () => {
  const { id } = await anna.listing({ published: true });
  const buffer = new ViewBuffer(stack.platform);
  buffer.add(market.installation.id, id);
  await buffer.close();
  expect(await statsOf(id)).toMatchObject({ views: 1 });
});

test('views are returned by day for thirty days and stored for one more day', async () => {
  const { id } = await anna.listing({ published: true });
  const { platform } = stack;
  let time = platform.now() - 40 * dayMs;
  const buffer = new ViewBuffer({ ...platform, now: () => time });
  for (let past = 40; past >= 0; past -= 1) {
    buffer.add(market.installation.id, id);
    await buffer.flush();
    time += dayMs;
  }
  const { views, last30d } = await statsOf(id);
  expect([views, last30d.length, last30d.at(-1)?.date]).toEqual([41, 30, today()]);
  const record = await market.records(ListingViewsModel).findOne({ _id: id });
  expect(record?.days).toHaveLength(31);
});
