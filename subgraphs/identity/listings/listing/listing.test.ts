import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import {
  completeListing,
  type SeededDealer,
  type SeededUser,
  unique,
} from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';

const { market, neighbour } = product();

const anna = perTest(() => market.user());
const garage = perTest(() => market.dealer({ owner: anna }));

type Filter = Parameters<SeededUser['listings']>[0];
const idsOf = async (filter: Filter = {}, by = anna) =>
  (await by.listings(filter, 'nodes { id }')).nodes.map(({ id }) => id);

test('an empty draft is created with default values', async () => {
  const { listing } = await anna.createListing({});
  expect(listing).toMatchObject({
    owner: { type: 'USER', ownerId: anna.id },
    languageTag: 'en',
    priceType: 'FIXED',
    tax: { mode: 'NONE', rateBps: null, net: null },
    attributes: {},
    state: 'DRAFT',
    revision: 1,
    publishedRevision: null,
    slug: null,
    url: null,
    version: 1,
  });
});

test('null in a new listing has the meaning of an omitted member', async () => {
  const empty = { priceType: null, language: null, attributes: null, location: { precision: null } };
  const { listing } = await anna.createListing({ title: 'Volvo 145', tax: null, contact: null, ...empty });
  expect(listing).toMatchObject({
    title: 'Volvo 145',
    languageTag: 'en',
    priceType: 'FIXED',
    tax: { mode: 'NONE', rateBps: null },
    attributes: {},
    location: { precision: 'APPROXIMATE' },
    contact: { showPhone: false, assigneeUserId: null },
  });
});

test('a listing is stored with every member as it was entered', async () => {
  const entered = {
    ...completeListing(market.categories),
    title: '{"$ne": null}',
    dealerLocationId: garage.locationIds[1],
    stockNumber: unique('A'),
    tax: { mode: 'VAT_INCLUDED', rateBps: 1900 },
    contact: { showPhone: true, assigneeUserId: anna.id },
  };
  const { language: _, location, ...kept } = entered as typeof entered & Record<string, object>;
  const input = { ...entered, dealerId: garage.id, language: 'de' };
  const { listing } = await anna.createListing(input as never);
  expect(listing).toMatchObject({
    ...kept,
    owner: { type: 'DEALER', ownerId: garage.id },
    languageTag: 'de',
    location: { ...location, precision: 'APPROXIMATE' },
    tax: { net: { amount: 1_046_218 } },
  });
  expect(await anna.api.listing({ listingId: listing.id })).toEqual(listing);
});

test('a refused draft names every invalid member', async () => {
  const wrong = { title: 'x', stockNumber: '1', attributes: { a: 1 }, categoryId: 'cat_x' };
  expect(await anna.createListing(wrong as never)).toBeInvalid('#/title', '#/categoryId', '#/stockNumber');
});

test('a category of another installation is refused in the same way as a missing one', async () => {
  const { categories } = await neighbour();
  for (const categoryId of [categories.cars ?? '', newId('category')])
    expect(await anna.createListing({ categoryId })).toBeRefused(422, 'validation_failed', {
      errors: [{ pointer: '#/categoryId', detail: 'This category does not exist.' }],
    });
});

test('in an installation without private selling, only users with the role seller can create a listing', async () => {
  const strict = await neighbour({ settings: { privateSelling: false } });
  expect(await (await strict.user()).createListing({})).toBeRefused(403, 'posting_not_allowed');
  const seller = await strict.user({ roles: ['buyer', 'seller'] });
  expect(await seller.createListing({})).not.toBeRefused();
});

test('a suspended dealer cannot create a listing, and a dealer in onboarding can', async () => {
  const suspended = await market.dealer({ state: 'suspended' });
  const fresh = await market.dealer({ state: 'onboarding' });
  const create = ({ id, owner }: SeededDealer) => owner.createListing({ dealerId: id });
  expect(await create(suspended)).toBeRefused(403, 'dealer_not_active');
  expect(await create(fresh)).not.toBeRefused();
});

test('a stock number is unique for a dealer, also for concurrent requests', async () => {
  const input = { dealerId: garage.id, stockNumber: 'S-1' };
  const answers = await concurrently(6, () => anna.createListing(input));
  expect(answers).toBeRefusedTimes(5, 409, 'stock_number_taken');
  const rival = await market.dealer();
  expect(await rival.owner.createListing({ ...input, dealerId: rival.id })).not.toBeRefused();
  for (let index = 0; index < 2; index += 1) await garage.listing({ stockNumber: null });
});

test('an agent of one location can create and list only listings of this location', async () => {
  const agent = await market.user();
  const members = [{ userId: agent.id, role: 'agent' as const }];
  const { id: dealerId, owner, locationIds, listing } = await market.dealer({ members });
  const [north, south] = locationIds;
  await owner.updateDealerMember({ dealerId, userId: agent.id, locationIds: [north ?? ''] });
  const { id } = await listing({ dealerLocationId: north });
  await listing({ dealerLocationId: south });
  await listing();
  expect(await idsOf({ dealerId }, agent)).toEqual([id]);
  for (const dealerLocationId of [south ?? '', null])
    expect(await agent.createListing({ dealerId, dealerLocationId })).toBeRefused(
      403,
      'dealer_role_required',
    );
  expect(await agent.createListing({ dealerId, dealerLocationId: north ?? '' })).not.toBeRefused();
});

test('a request for an id that is not one of a listing reads no listings', async () => {
  for (const listingId of ['lst_x', garage.id, '{"$ne":null}']) {
    const commands = await commandsOf(() => anna.api.listing({ listingId }));
    expect(commands.filter((command) => command.includes('listings'))).toEqual([]);
  }
});

test('a user lists own listings and those of their dealers', async () => {
  const [mine, ours] = [await anna.listing(), await garage.listing()];
  await (await market.user()).listing({ published: true });
  expect(await idsOf()).toEqual([ours.id, mine.id]);
  expect(await idsOf({ sort: 'CREATED_AT_ASC' })).toEqual([mine.id, ours.id]);
  expect(await idsOf({ dealerId: garage.id })).toEqual([ours.id]);
  const byChange = await anna.rest('GET', '/api/v1/listings?sort=-updatedAt');
  expect(byChange.body.data.map(({ id }: { id: string }) => id)).toEqual([ours.id, mine.id]);
  const refused = await anna.rest('GET', '/api/v1/listings?sort=title');
  expect(refused).toBeRefused(400, 'unsupported_parameter');
});

test('a list of own listings is filtered by state, stock number, words, category and expiry', async () => {
  const ofGolf = { title: 'Volkswagen Golf', stockNumber: 'VW-77', published: true };
  const { id: golf } = await garage.listing(ofGolf);
  const { id: polo } = await garage.listing({ title: 'Volkswagen Polo', categoryId: null, attributes: {} });
  const expected: [Filter, string[]][] = [
    [{ state: ['ACTIVE'] }, [golf]],
    [{ state: ['DRAFT', 'PAUSED'] }, [polo]],
    [{ stockNumber: 'VW-77' }, [golf]],
    [{ stockNumber: 'vw-77' }, []],
    [{ q: 'volks' }, [polo, golf]],
    [{ q: 'VOLKS gol' }, [golf]],
    [{ q: 'vw-7' }, [golf]],
    [{ q: '.*' }, [polo, golf]],
    [{ categoryId: market.categories.cars ?? '' }, [golf]],
    [{ expiresBefore: '2100-01-01T00:00:00Z' as never }, [golf]],
    [{ expiresBefore: '2000-01-01T00:00:00Z' as never }, []],
  ];
  for (const [filter, ids] of expected) expect([filter, await idsOf(filter)]).toEqual([filter, ids]);
});
