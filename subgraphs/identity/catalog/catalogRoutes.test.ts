import { product } from '../../../test/support/product.ts';
import { type SeededDealer } from '../../../test/support/seed.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;

beforeAll(async () => {
  garage = await market.dealer();
  for (let index = 0; index < 3; index += 1)
    await garage.listing({
      published: true,
      location: null,
      dealerLocationId: garage.locationIds[0],
      price: { amount: 100_000 * (index + 1), currency: 'EUR' },
    });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  world.rest('GET', `/api/v1/catalog${path}`, { headers });

test('a search takes every parameter in the query', async () => {
  const all = `/listings?q=skoda&locale=en&categoryId=${market.categories.vehicles}&price.min=1&price.max=200000&currency=EUR&condition=used,new&priceType=fixed&sellerType=dealer&dealerId=${garage.id}&attr.make=skoda,vw&attr.fuel=diesel&attr.mileageKm.min=1&attr.mileageKm.max=90000&near=52.53,13.39&radiusKm=5&publishedAfter=2020-01-01T00:00:00Z&withImages=false&sort=distance&limit=1&count=true`;
  const first = await get(all);
  expect(first).toMatchObject({
    status: 200,
    body: { data: [{ seller: { dealerId: garage.id } }], meta: { totalCount: '2' } },
  });
  const next = await get(`${all}&cursor=${first.body.page.nextCursor}`);
  expect(next).toMatchObject({ status: 200, body: { page: { nextCursor: null } } });
  expect(next.body.data[0].id).not.toBe(first.body.data[0].id);
  expect((await get('/listings?bounds=52,13,53,14&sort=-mileageKm')).body.data).toHaveLength(3);
  expect((await get('/listings?bounds=-10,170,10,-170')).body.data).toEqual([]);
});

test.each([
  ['an unknown parameter', '/listings?colour=red', 'unsupported_parameter'],
  ['a repeated one', '/listings?near=1,2&near=3,4', 'unsupported_parameter'],
  ['an attribute that no category has', '/listings?attr.wings=2', 'unsupported_parameter'],
  [
    'an attribute that no category has, in facets',
    '/facets?facets=make&attr.wings=2',
    'unsupported_parameter',
  ],
  ['an order that is none', '/listings?sort=make', 'unsupported_parameter'],
  ['a place without longitude', '/listings?near=52.5', 'malformed_request'],
  ['a place that is no number', '/listings?near=52.5,x', 'malformed_request'],
  ['a place that is not finite', '/listings?near=52.5,Infinity', 'malformed_request'],
  ['a radius without a place', '/listings?radiusKm=5', 'malformed_request'],
  ['a map with three sides', '/listings?bounds=1,2,3', 'malformed_request'],
  ['pictures that are neither there nor not', '/listings?withImages=maybe', 'malformed_request'],
  ['no facets', '/facets', 'malformed_request'],
  ['facets in pages', '/facets?facets=make&limit=3', 'unsupported_parameter'],
  ['a private facet', '/facets?facets=vin', 'unsupported_parameter'],
  ['a price without currency', '/facets?facets=make&price.min=3', 'malformed_request'],
])('%s is 400', async (_, path, code) => {
  expect(await get(path)).toMatchObject({ status: 400, body: { code } });
});

test('facets take the parameters of a search', async () => {
  const answer = await get(
    '/facets?facets=price,make,condition&condition=new&attr.make=skoda&near=52.53,13.39',
  );
  expect(answer).toMatchObject({
    status: 200,
    body: {
      total: 0,
      complete: true,
      facets: [
        { name: 'price', buckets: [], range: null },
        { name: 'make', buckets: [] },
        { name: 'condition', buckets: [{ value: 'used', count: 3 }] },
      ],
    },
  });
  const { body } = await get('/facets?facets=price');
  expect(body.facets[0].range).toMatchObject({ min: 100_000, max: 300_000 });
});

test('the category tree is revalidated by its tag', async () => {
  const tree = await get('/categories?locale=de');
  expect(tree).toMatchObject({
    status: 200,
    body: { data: [{ slug: 'vehicles', name: 'Fahrzeuge' }, {}, {}, {}, {}, {}, {}, {}, {}] },
  });
  const tag = tree.headers.get('etag') ?? '';
  expect(tag).toMatch(/^"\d+-[0-9a-f]{8}"$/);
  expect(tree.headers.get('cache-control')).toContain('public, max-age=300');
  expect((await get('/categories?locale=de', { 'if-none-match': tag })).status).toBe(304);
  expect((await get('/categories?locale=en', { 'if-none-match': tag })).status).toBe(200);
});

test('a dealer has a page under its id and its slug, without its address for mail', async () => {
  const page = await get(`/dealers/${garage.slug}`);
  expect(page).toMatchObject({
    status: 200,
    body: { id: garage.id, activeListings: 3, locations: [{ name: 'North' }, { name: 'South' }] },
  });
  expect(JSON.stringify(page.body)).not.toMatch(/@|members|usr_/);
  const tag = page.headers.get('etag') ?? '';
  expect((await get(`/dealers/${garage.id}`, { 'if-none-match': tag })).status).toBe(304);
  expect(await get('/dealers/nobody')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
