import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel } from './model.ts';

const world = product();
const { market } = world;
const update = `mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing {
  id title description price { amount } stockNumber attributes state revision version location { city postalCode }
} } }`;
const run = (input: object, by: { token: string }, at = market) =>
  world.stack.execute(update, { input }, { as: by.token, installation: at.installation });
const changed = async (input: object, by: { token: string }) => {
  const result = await run(input, by);
  if (result.errors) throw result.errors[0];
  return result.data?.updateListing.listing;
};
const copyOf = (id: string) => scoped(CatalogListingModel, market.installation.id).findOne({ _id: id });

test('a change is merged into what is there', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  expect(
    await changed(
      {
        listingId: id,
        title: 'Another title',
        description: null,
        location: { city: 'Bonn' },
        attributes: { fuel: 'petrol', doors: 5 },
      },
      anna,
    ),
  ).toMatchObject({
    title: 'Another title',
    description: null,
    location: { city: 'Bonn', postalCode: '10115' },
    attributes: { make: 'skoda', fuel: 'petrol', doors: 5 },
    revision: 2,
    version: 2,
  });
});

test('what is said again changes nothing, not even the version', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ title: 'The very same' });
  expect(await changed({ listingId: id, title: ' The very same ' }, anna)).toMatchObject({
    version: 1,
    revision: 1,
  });
  expect(await changed({ listingId: id }, anna)).toMatchObject({ version: 1 });
});

test('made for another version is refused, and only the right one goes through', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      run({ listingId: id, title: `Title number ${index}`, expectedVersion: 1 }, anna),
    ),
  );
  expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
  for (const result of results.filter(({ errors }) => errors))
    expect(['precondition_failed', 'concurrent_update']).toContain(problemOf(result).code);
  expect(problemOf(await run({ listingId: id, title: 'Too late', expectedVersion: 1 }, anna))).toMatchObject({
    code: 'precondition_failed',
    status: 412,
  });
});

test('changes of different members at once are both kept', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  await Promise.all([
    changed({ listingId: id, title: 'Changed title' }, anna),
    changed({ listingId: id, price: { amount: 5, currency: 'EUR' } }, anna),
  ]);
  expect(await changed({ listingId: id }, anna)).toMatchObject({
    title: 'Changed title',
    price: { amount: 5 },
    version: 3,
  });
});

test('a wrong member is refused with its place, before the version is looked at', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  expect(problemOf(await run({ listingId: id, title: 'x', expectedVersion: 99 }, anna))).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '#/title' }],
  });
});

test('what is read only is refused by name, with everything else that is wrong', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const problem = problemOf(
    await run({ listingId: id, state: 'SOLD', version: 3, slug: 'mine', title: 'x' }, anna),
  );
  expect(problem).toMatchObject({ status: 422 });
  expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    '#/state read_only_field',
    '#/slug read_only_field',
    '#/version read_only_field',
    '#/title validation_failed',
  ]);
});

test('the stock number of a sibling is refused', async () => {
  const dealer = await market.dealer();
  const stockNumber = unique('N');
  await dealer.listing({ stockNumber });
  const { id } = await dealer.listing();
  expect(problemOf(await run({ listingId: id, stockNumber }, dealer.owner))).toMatchObject({
    code: 'stock_number_taken',
    status: 409,
  });
  expect(await changed({ listingId: id, stockNumber: `${stockNumber}b` }, dealer.owner)).toMatchObject({
    stockNumber: `${stockNumber}b`,
  });
});

test('what the public sees follows at once, and cannot lose what publication needed', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  await changed({ listingId: id, title: 'Freshly named', price: { amount: 77, currency: 'EUR' } }, anna);
  expect(await copyOf(id)).toMatchObject({ title: 'Freshly named', price: { amount: 77 }, priceRank: 77 });
  const problem = problemOf(await run({ listingId: id, title: null, attributes: { make: null } }, anna));
  expect(problem).toMatchObject({ code: 'listing_incomplete', status: 422 });
  expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['#/title', '#/attributes/make']);
  expect(await copyOf(id)).toMatchObject({ title: 'Freshly named' });
});

test('in another category other attributes are right', async () => {
  const anna = await market.user();
  const { id } = await anna.listing();
  const move = { listingId: id, categoryId: market.categories.wheels };
  expect(problemOf(await run(move, anna)).errors.length).toBeGreaterThan(0);
  expect(await changed({ ...move, attributes: null }, anna)).toMatchObject({ attributes: {} });
  expect(problemOf(await run({ ...move, categoryId: market.categories.parts }, anna))).toMatchObject({
    errors: [{ pointer: '#/categoryId' }],
  });
});

test.each(['sold', 'archived'] as const)('what is %s cannot be changed', async (state) => {
  const anna = await market.user();
  const { id } = await anna.listing();
  await scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: { state } });
  expect(problemOf(await run({ listingId: id, title: 'Another title' }, anna))).toMatchObject({
    code: 'invalid_transition',
    status: 409,
    allowedFrom: { state },
  });
});

test('a stranger, another owner, a moderator and another installation change nothing', async () => {
  const [anna, berta, moderator] = [
    await market.user(),
    await market.user(),
    await market.staff('moderator'),
  ];
  const other = await world.neighbour();
  const foreigner = await other.staff('installation_admin');
  const { id } = await anna.listing();
  const input = { listingId: id, title: 'Taken over' };
  expect(
    problemOf(await world.stack.execute(update, { input }, { installation: market.installation })),
  ).toMatchObject({
    code: 'token_missing',
  });
  expect(problemOf(await run(input, berta))).toMatchObject({ code: 'ownership_required', status: 403 });
  expect(problemOf(await run(input, moderator))).toMatchObject({ code: 'ownership_required', status: 403 });
  expect(problemOf(await run(input, foreigner, other))).toMatchObject({ code: 'not_found', status: 404 });
  expect(await scoped(ListingModel, market.installation.id).findOne({ _id: id })).toMatchObject({
    version: 1,
  });
});
