import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, seed } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { FavoriteModel, favoriteId, favoritesPerUser } from './model.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
let user: SeededUser;

beforeAll(async () => {
  garage = await market.dealer();
});
beforeEach(async () => {
  user = await market.user();
});

const nodes = `listingId note priceAtSave { amount currency } priceDrop { amount currency } savedAt
  listing { id title price { amount } }`;
const list = `query ($first: Int, $after: String) { myFavorites(first: $first, after: $after) {
  nodes { ${nodes} } pageInfo { hasNextPage endCursor } } }`;
const call = (source: string, variables: Record<string, unknown>, as = user) =>
  world.stack.execute(source, variables, { as, installation: market.installation });
const add = (input: object, as = user) =>
  call(
    `mutation ($input: AddFavoriteInput!) { addFavorite(input: $input) { created favorite { ${nodes} } } }`,
    { input },
    as,
  );
const remove = (listingId: string, as = user) =>
  call(
    'mutation ($input: RemoveFavoriteInput!) { removeFavorite(input: $input) { removedListingId } }',
    { input: { listingId } },
    as,
  );
const favoritesOf = async (as = user): Promise<any[]> => {
  const result = await call(list, {}, as);
  if (result.errors) throw result.errors[0];
  return result.data?.myFavorites.nodes;
};
const update = async (listingId: string, members: object) => {
  const { errors } = await call(
    'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }',
    { input: { listingId, ...members } },
    garage.owner,
  );
  if (errors) throw errors[0];
};
const published = (members: object = {}) => garage.listing({ published: true, ...members });

/** So many saved listings that are not public any more: they count all the same. */
async function fill({ id: userId }: SeededUser, count: number): Promise<void> {
  const stubs = Array.from({ length: count }, () => newId('listing')).map((listingId) => ({
    _id: favoriteId(userId, listingId),
    userId,
    listingId,
    note: null,
    priceAtSave: null,
    savedAt: new Date(world.stack.platform.now()),
  }));
  await scoped(FavoriteModel, market.installation.id).insertAbsent(stubs);
}
const countOf = ({ id: userId }: SeededUser) =>
  scoped(FavoriteModel, market.installation.id).count({ userId });

describe('saving a listing', () => {
  test('keeps the note and the price of that moment, and shows the listing as everybody sees it', async () => {
    const { id } = await published({ title: 'Saved Octavia' });
    const { data, errors } = await add({ listingId: id, note: 'Ask about\nthe tyres.' });
    expect(errors).toBeUndefined();
    expect(data?.addFavorite).toMatchObject({
      created: true,
      favorite: {
        listingId: id,
        note: 'Ask about\nthe tyres.',
        priceAtSave: { amount: 1_245_000, currency: 'EUR' },
        priceDrop: null,
        listing: { id, title: 'Saved Octavia' },
      },
    });
    expect(await favoritesOf()).toEqual([data?.addFavorite.favorite]);
  });

  test('again changes the note alone: price and time of the first time stay', async () => {
    const { id } = await published();
    const first = (await add({ listingId: id, note: 'Nice.' })).data?.addFavorite.favorite;
    await update(id, { price: { amount: 1_100_000, currency: 'EUR' } });
    world.stack.advance(60_000);
    const again = (await add({ listingId: id, note: 'Nicer.' })).data?.addFavorite;
    expect(again).toMatchObject({
      created: false,
      favorite: { note: 'Nicer.', priceAtSave: first.priceAtSave, savedAt: first.savedAt },
    });
    expect((await add({ listingId: id })).data?.addFavorite.favorite.note).toBe('Nicer.');
    expect((await add({ listingId: id, note: null })).data?.addFavorite.favorite.note).toBeNull();
    expect(await countOf(user)).toBe(1);
  });

  test('by twenty requests at once is done once', async () => {
    const { id } = await published();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => add({ listingId: id, note: 'Mine.' })),
    );
    expect(results.filter(({ errors }) => errors)).toEqual([]);
    expect(results.filter(({ data }) => data?.addFavorite.created)).toHaveLength(1);
    expect(await countOf(user)).toBe(1);
  });

  test('needs no confirmed address', async () => {
    const newcomer = await market.user({ state: 'unverified', emailVerified: false });
    const { id } = await published();
    expect((await add({ listingId: id }, newcomer)).data?.addFavorite.created).toBe(true);
  });

  test.each([
    ['a draft, even one’s own', async () => (await user.listing()).id],
    [
      'a listing of another installation',
      async () => {
        const abroad = await seed(world.stack).in(world.stack.other);
        return (await (await abroad.user()).listing({ published: true })).id;
      },
    ],
    [
      'one that has expired',
      async () => {
        const { id } = await published();
        await scoped(CatalogListingModel, market.installation.id).findOneAndUpdate(
          { _id: id },
          { $set: { expiresAt: new Date(world.stack.platform.now()) } },
        );
        return id;
      },
    ],
    ['one that never was', async () => newId('listing')],
    ['a slug', async () => String((await published()).slug)],
  ])('of %s is refused, and nothing is kept', async (_, make) => {
    expect(problemOf(await add({ listingId: await make() }))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect(await countOf(user)).toBe(0);
  });

  test.each([
    ['x'.repeat(501), false],
    ['😀'.repeat(501), false],
    ['nul \u0000', false],
    ['half \ud83d', false],
    ['😀'.repeat(500), true],
  ])('with the note %j: taken or not', async (note, isTaken) => {
    const { id } = await published();
    const result = await add({ listingId: id, note });
    if (isTaken) expect(result.data?.addFavorite.favorite.note).toBe(note);
    else
      expect(problemOf(result)).toMatchObject({
        code: 'validation_failed',
        status: 422,
        errors: [{ pointer: '#/note' }],
      });
    expect(await countOf(user)).toBe(isTaken ? 1 : 0);
  });

  test('a blank note is none', async () => {
    const { id } = await published();
    expect((await add({ listingId: id, note: ' \n ' })).data?.addFavorite.favorite.note).toBeNull();
  });
});

describe('the limit', () => {
  test('is 500, and holds when many listings are saved at once', async () => {
    await fill(user, favoritesPerUser - 3);
    const listings = await Promise.all(Array.from({ length: 8 }, () => published()));
    const results = await Promise.all(listings.map(({ id }) => add({ listingId: id })));
    expect(results.filter(({ data }) => data?.addFavorite?.created)).toHaveLength(3);
    const refused = results.filter(({ errors }) => errors).map(problemOf);
    expect(refused).toHaveLength(5);
    for (const problem of refused) expect(problem).toMatchObject({ code: 'favorite_limit', status: 409 });
    expect(await countOf(user)).toBe(favoritesPerUser);
  });

  test('keeps nobody from changing a note, and one that is removed makes room', async () => {
    const [saved, wanted] = [await published(), await published()];
    await add({ listingId: saved.id });
    await fill(user, favoritesPerUser - 1);
    expect((await add({ listingId: saved.id, note: 'Still mine.' })).errors).toBeUndefined();
    expect(problemOf(await add({ listingId: wanted.id })).code).toBe('favorite_limit');
    await remove(saved.id);
    expect((await add({ listingId: wanted.id })).data?.addFavorite.created).toBe(true);
  });
});

describe('the list', () => {
  test('shows the newest first, page by page, and nobody else’s', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id } = await published();
      world.stack.advance(1000);
      await add({ listingId: id });
      await add({ listingId: id, note: 'Not yours.' }, garage.owner);
      ids.unshift(id);
    }
    const first = (await call(list, { first: 2 })).data?.myFavorites;
    const second = (await call(list, { first: 2, after: first.pageInfo.endCursor })).data?.myFavorites;
    const shown = [...first.nodes, ...second.nodes];
    expect(shown.map(({ listingId }) => listingId)).toEqual(ids);
    expect(shown.map(({ note }) => note)).toEqual([null, null, null]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  test.each([
    ['a lower price', { amount: 1_200_000, currency: 'EUR' }, { amount: 45_000, currency: 'EUR' }],
    ['a higher price', { amount: 1_300_000, currency: 'EUR' }, null],
    ['another currency', { amount: 1, currency: 'CHF' }, null],
  ])('tells what %s means', async (_, price, priceDrop) => {
    const { id } = await published();
    await add({ listingId: id });
    await update(id, { price });
    expect(await favoritesOf()).toMatchObject([{ priceDrop, listing: { price: { amount: price.amount } } }]);
  });

  test('has no price drop where the price was or is told on request', async () => {
    const [silent, silenced] = [await published({ price: null, priceType: 'ON_REQUEST' }), await published()];
    for (const { id } of [silent, silenced]) await add({ listingId: id });
    await update(silent.id, { price: { amount: 1, currency: 'EUR' }, priceType: 'FIXED' });
    await update(silenced.id, { price: null, priceType: 'ON_REQUEST' });
    const saved = await favoritesOf();
    expect(saved.map(({ priceDrop }) => priceDrop)).toEqual([null, null]);
    expect(saved.find(({ listingId }) => listingId === silent.id).priceAtSave).toBeNull();
  });

  test('keeps what has vanished as a stub with the caller’s own words, and shows it again when it is back', async () => {
    const { id } = await published();
    await add({ listingId: id, note: 'The red one.' });
    const catalog = scoped(CatalogListingModel, market.installation.id);
    const withdraw = (withdrawn: boolean) => catalog.findOneAndUpdate({ _id: id }, { $set: { withdrawn } });
    await withdraw(true);
    const stub = {
      listingId: id,
      note: 'The red one.',
      priceAtSave: { amount: 1_245_000, currency: 'EUR' },
      priceDrop: null,
      listing: null,
    };
    expect(await favoritesOf()).toEqual([expect.objectContaining(stub)]);
    await withdraw(false);
    expect(await favoritesOf()).toMatchObject([{ listing: { id } }]);
    await catalog.deleteMany({ _id: id });
    expect(await favoritesOf()).toEqual([expect.objectContaining(stub)]);
  });

  test('costs two commands whatever its length, both through an index', async () => {
    const listings = await Promise.all(Array.from({ length: 6 }, () => published()));
    for (const { id } of listings) await add({ listingId: id });
    await changesHeard();
    await favoritesOf();
    expect(await commandsOf(() => favoritesOf())).toEqual(['find catalog_listings', 'find favorites']);
    const plans = await indexesOf(() => favoritesOf());
    expect(plans.find(({ command }) => command === 'find favorites')?.indexes).toContainEqual(
      expect.stringMatching(/userId.*savedAt/),
    );
    expect(plans.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });

  test('refuses the cursor of somebody else’s list', async () => {
    const other = await market.user();
    for (const { id } of [await published(), await published()])
      for (const person of [user, other]) await add({ listingId: id }, person);
    const { endCursor } = (await call(list, { first: 1 }, other)).data?.myFavorites.pageInfo ?? {};
    expect(problemOf(await call(list, { first: 1, after: endCursor })).code).toBe('invalid_cursor');
  });
});

describe('removing', () => {
  test('takes away the caller’s own, nobody else’s, and may be repeated', async () => {
    const { id } = await published();
    for (const person of [user, garage.owner]) await add({ listingId: id }, person);
    for (let times = 0; times < 2; times += 1) {
      expect((await remove(id)).data?.removeFavorite.removedListingId).toBe(id);
      expect(await favoritesOf()).toEqual([]);
    }
    expect((await favoritesOf(garage.owner)).map(({ listingId }) => listingId)).toContain(id);
  });

  test('works for what has vanished and for what never was, not for what can be no listing', async () => {
    const { id } = await published();
    await add({ listingId: id });
    await scoped(CatalogListingModel, market.installation.id).deleteMany({ _id: id });
    await remove(id);
    expect(await countOf(user)).toBe(0);
    expect((await remove(newId('listing'))).errors).toBeUndefined();
    for (const no of ['no id', user.id]) expect(problemOf(await remove(no)).code).toBe('not_found');
  });
});
