import { concurrently } from '../../../../test/support/concurrently.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { CatalogListingModel } from '../catalog/public-listing/model.ts';
import { FavoriteModel, favoriteId, favoritesPerUser } from './model.ts';

const { market, neighbour, stack } = product();

const garage = perFile(() => market.dealer());
const user = perTest(() => market.user());

const published = async (members: object = {}) => (await garage.listing({ published: true, ...members })).id;
const add = (listingId: string, members: object = {}, by = user) => by.addFavorite({ listingId, ...members });
const favoritesOf = async (by = user) => (await by.myFavorites()).nodes;
const update = (listingId: string, members: object) => garage.owner.updateListing({ listingId, ...members });
const catalog = () => market.records(CatalogListingModel);
const favorites = () => market.records(FavoriteModel);
const count = () => favorites().count({ userId: user.id });

/** Stores favorites whose listings are no longer public. They count towards the limit. */
async function fill(entries: number): Promise<void> {
  const stubs = Array.from({ length: entries }, () => newId('listing')).map((listingId) => ({
    _id: favoriteId(user.id, listingId),
    userId: user.id,
    listingId,
    note: null,
    priceAtSave: null,
    savedAt: new Date(stack.platform.now()),
  }));
  await favorites().insertAbsent(stubs);
}

test('a favorite has a note, the price at the time of saving and the public listing', async () => {
  const id = await published({ title: 'Saved Octavia' });
  const { created, favorite } = await add(id, { note: 'Ask about\nthe tyres.' });
  expect(created).toBe(true);
  expect(favorite).toMatchObject({
    listingId: id,
    note: 'Ask about\nthe tyres.',
    priceAtSave: { amount: 1_245_000, currency: 'EUR' },
    priceDrop: null,
    listing: { id, title: 'Saved Octavia' },
  });
  expect(await favoritesOf()).toEqual([favorite]);
});

test('saving a favorite again changes its note and keeps its price and time', async () => {
  const id = await published();
  const { favorite } = await add(id, { note: 'Nice.' });
  await update(id, { price: { amount: 1_100_000, currency: 'EUR' } });
  stack.advance(60_000);
  const { priceAtSave, savedAt } = favorite;
  const again = { created: false, favorite: { note: 'Nicer.', priceAtSave, savedAt } };
  expect(await add(id, { note: 'Nicer.' })).toMatchObject(again);
  expect(await add(id)).toMatchObject(again);
  expect(await add(id, { note: null })).toMatchObject({ favorite: { note: null } });
  expect(await add(id, { note: ' \n ' })).toMatchObject({ favorite: { note: null } });
  expect(await count()).toBe(1);
});

test('saving a favorite over REST returns 201 for a new one and 200 for an existing one', async () => {
  const path = `/api/v1/me/favorites/${await published()}`;
  const first = await user.rest('PUT', path);
  expect([first.status, first.body.created]).toEqual([201, undefined]);
  const body = { note: 'Call on Monday.' };
  expect(await user.rest('PUT', path, { body })).toMatchObject({ status: 200, body });
});

test('twenty concurrent requests save a listing once', async () => {
  const id = await published();
  const answers = await concurrently(20, () => add(id, { note: 'Mine.' }));
  expect(answers.filter(isRefused)).toEqual([]);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(await count()).toBe(1);
});

const expired = async () => {
  const _id = await published();
  await catalog().findOneAndUpdate({ _id }, { $set: { expiresAt: new Date(stack.platform.now()) } });
  return _id;
};
const elsewhere = async () => (await (await neighbour()).user()).listing({ published: true });
test.each<[string, () => Promise<string>]>([
  ['an own draft', async () => (await user.listing()).id],
  ['a listing of another installation', async () => (await elsewhere()).id],
  ['an expired listing', expired],
  ['an unknown listing', async () => newId('listing')],
  ['a slug', async () => String((await garage.listing({ published: true })).slug)],
])('saving %s is refused', async (_, prepare) => {
  expect(await add(await prepare())).toBeRefused(404, 'not_found');
  expect(await count()).toBe(0);
});

test.each([
  ['of 501 characters', 'x'.repeat(501)],
  ['of 501 characters outside of the basic plane', '😀'.repeat(501)],
  ['with a NUL', 'nul \u0000'],
  ['with a lone surrogate', 'half \ud83d'],
])('a favorite with a note %s is refused', async (_, note) => {
  expect(await add(await published(), { note })).toBeInvalid('#/note');
  expect(await count()).toBe(0);
});

test('a favorite with a note of 500 characters outside of the basic plane is saved', async () => {
  const note = '😀'.repeat(500);
  expect(await add(await published(), { note })).toMatchObject({ favorite: { note } });
});

test('concurrent requests save no more than 500 listings', async () => {
  await fill(favoritesPerUser - 3);
  const ids = await concurrently(8, () => published());
  expect(await Promise.all(ids.map((id) => add(id)))).toBeRefusedTimes(5, 409, 'favorite_limit');
  expect(await count()).toBe(favoritesPerUser);
});

test('at the limit of favorites, a note can be changed, and a removal admits another favorite', async () => {
  const [saved, wanted] = [await published(), await published()];
  await add(saved);
  await fill(favoritesPerUser - 1);
  expect(await add(saved, { note: 'Still mine.' })).not.toBeRefused();
  expect(await add(wanted)).toBeRefused(409, 'favorite_limit');
  await user.removeFavorite({ listingId: saved });
  expect(await add(wanted)).toMatchObject({ created: true });
});

test('favorites are listed in descending order of saving, to their user only', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const id = await published();
    stack.advance(1000);
    await add(id);
    await add(id, { note: 'Not yours.' }, garage.owner);
    ids.unshift(id);
  }
  const listed = await favoritesOf();
  expect(listed.map(({ listingId, note }) => [listingId, note])).toEqual(ids.map((id) => [id, null]));
});

test.each([
  [
    'a lower price of a favorite has a price drop',
    { amount: 1_200_000, currency: 'EUR' },
    { amount: 45_000, currency: 'EUR' },
  ],
  ['a higher price of a favorite has no price drop', { amount: 1_300_000, currency: 'EUR' }, null],
  ['a price of a favorite in another currency has no price drop', { amount: 1, currency: 'CHF' }, null],
])('%s', async (_, price, priceDrop) => {
  const id = await published();
  await add(id);
  await update(id, { price });
  expect(await favoritesOf()).toMatchObject([{ priceDrop, listing: { price: { amount: price.amount } } }]);
});

test('a favorite whose price was or is on request has no price drop', async () => {
  const before = await published({ price: null, priceType: 'ON_REQUEST' });
  const after = await published();
  await add(before);
  await add(after);
  await update(before, { price: { amount: 1, currency: 'EUR' }, priceType: 'FIXED' });
  await update(after, { price: null, priceType: 'ON_REQUEST' });
  const listed = await favoritesOf();
  expect(listed.map(({ priceDrop }) => priceDrop)).toEqual([null, null]);
  expect(listed.find(({ listingId }) => listingId === before)?.priceAtSave).toBeNull();
});

test('a favorite whose listing is not public is kept without the listing', async () => {
  const id = await published();
  await add(id, { note: 'The red one.' });
  const priceAtSave = { amount: 1_245_000, currency: 'EUR' };
  const stub = { listingId: id, note: 'The red one.', priceAtSave, priceDrop: null, listing: null };
  const withdraw = (withdrawn: boolean) => catalog().findOneAndUpdate({ _id: id }, { $set: { withdrawn } });
  await withdraw(true);
  expect(await favoritesOf()).toMatchObject([stub]);
  await withdraw(false);
  expect(await favoritesOf()).toMatchObject([{ listing: { id } }]);
  await catalog().deleteMany({ _id: id });
  expect(await favoritesOf()).toMatchObject([stub]);
});

test('removing a favorite can be repeated and keeps the favorites of other users', async () => {
  const id = await published();
  for (const by of [user, garage.owner]) await add(id, {}, by);
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await user.removeFavorite({ listingId: id })).toEqual({ removedListingId: id });
    expect(await favoritesOf()).toEqual([]);
  }
  expect((await favoritesOf(garage.owner)).map(({ listingId }) => listingId)).toContain(id);
});

test('removing a favorite accepts the id of a missing listing, and refuses other ids', async () => {
  const id = await published();
  await add(id);
  await catalog().deleteMany({ _id: id });
  for (const listingId of [id, newId('listing')])
    expect(await user.removeFavorite({ listingId })).not.toBeRefused();
  expect(await count()).toBe(0);
  for (const listingId of ['no id', user.id])
    expect(await user.removeFavorite({ listingId })).toBeRefused(404, 'not_found');
});
