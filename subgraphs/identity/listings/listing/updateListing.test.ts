import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { recordsOf } from './fixture/recordsOf.ts';

const { market } = product();
const { copyOf } = recordsOf(market);

const anna = perTest(() => market.user());

test('a change is merged into the listing', async () => {
  const { id } = await anna.listing();
  const { listing } = await anna.updateListing({
    listingId: id,
    title: 'Another title',
    description: null,
    location: { city: 'Bonn' },
    attributes: { fuel: 'petrol', doors: 5 },
  });
  expect(listing).toMatchObject({
    title: 'Another title',
    description: null,
    location: { city: 'Bonn', postalCode: '10115' },
    attributes: { make: 'skoda', fuel: 'petrol', doors: 5 },
    revision: 2,
    version: 2,
  });
});

test('a change to the current values of a listing keeps its version and revision', async () => {
  const { id } = await anna.listing({ title: 'The very same' });
  for (const change of [{ title: ' The very same ' }, {}]) {
    const { listing } = await anna.updateListing({ listingId: id, ...change });
    expect(listing).toMatchObject({ version: 1, revision: 1 });
  }
});

test('one of eight concurrent changes to the same version succeeds', async () => {
  const input = { listingId: (await anna.listing()).id, expectedVersion: 1 };
  const change = (index: number) => anna.updateListing({ ...input, title: `Title number ${index}` });
  expect(await concurrently(8, change)).toBeRefusedTimes(7);
});

test('concurrent changes of different members are both kept', async () => {
  const { id } = await anna.listing();
  const price = { amount: 5, currency: 'EUR' };
  await Promise.all([
    anna.updateListing({ listingId: id, title: 'Changed title' }),
    anna.updateListing({ listingId: id, price }),
  ]);
  const listing = await anna.api.listing({ listingId: id });
  expect(listing).toMatchObject({ title: 'Changed title', price, version: 3 });
});

test('an invalid member is refused before the version is compared', async () => {
  const { id } = await anna.listing();
  const answer = await anna.updateListing({ listingId: id, title: 'x', expectedVersion: 99 });
  expect(answer).toBeInvalid('#/title');
});

test('read-only members are refused by name, together with unknown members', async () => {
  const { id } = await anna.listing();
  const body = { state: 'sold', version: 3, slug: 'mine', colour: 'red' };
  const errors = ['#/state', '#/version', '#/slug'].map((pointer) => ({ pointer, code: 'read_only_field' }));
  expect(await anna.rest('PATCH', `/api/v1/listings/${id}`, { body })).toBeRefused(422, undefined, {
    errors: [...errors, { pointer: '#/colour', code: 'unknown_field' }],
  });
});

test('the stock number of another listing of the dealer is refused', async () => {
  const { owner, listing } = await market.dealer();
  await listing({ stockNumber: 'N-1' });
  const { id } = await listing();
  const change = (stockNumber: string) => owner.updateListing({ listingId: id, stockNumber });
  expect(await change('N-1')).toBeRefused(409, 'stock_number_taken');
  expect(await change('N-1b')).toMatchObject({ listing: { stockNumber: 'N-1b' } });
});

test('a change updates the public copy, and is refused if it clears a member that a publication requires', async () => {
  const { id } = await anna.listing({ published: true });
  const price = { amount: 77, currency: 'EUR' };
  await anna.updateListing({ listingId: id, title: 'Freshly named', price });
  const copy = { title: 'Freshly named', price: { amount: 77 }, priceRank: 77 };
  expect(await copyOf(id)).toMatchObject(copy);
  const cleared = { listingId: id, title: null, attributes: { make: null } };
  const errors = [{ pointer: '#/title' }, { pointer: '#/attributes/make' }];
  expect(await anna.updateListing(cleared)).toBeRefused(422, 'listing_incomplete', { errors });
  expect(await copyOf(id)).toMatchObject(copy);
});

test('a change of the category is refused unless it is a leaf and permits the attributes', async () => {
  const { id } = await anna.listing();
  const { wheels = '', parts = '' } = market.categories;
  const move = (categoryId: string, more = {}) => anna.updateListing({ listingId: id, categoryId, ...more });
  expect(await move(wheels)).toBeRefused(422, 'unknown_field');
  expect(await move(wheels, { attributes: null })).toMatchObject({ listing: { attributes: {} } });
  expect(await move(parts)).toBeInvalid('#/categoryId');
});
