import { perFile, product } from '../../../../test/support/product.ts';

const { market } = product();

const garage = perFile(() => market.dealer());
beforeAll(async () => {
  for (const amount of [100_000, 200_000, 300_000])
    await garage.listing({
      published: true,
      location: null,
      dealerLocationId: garage.locationIds[0],
      price: { amount, currency: 'EUR' },
    });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  market.visitor.rest('GET', `/api/v1/catalog${path}`, { headers });

test('the search route accepts every parameter of a search', async () => {
  const all = `/listings?q=skoda&locale=en&categoryId=${market.categories.vehicles}&price.min=1&price.max=200000&currency=EUR&condition=used,new&priceType=fixed&sellerType=dealer&dealerId=${garage.id}&attr.make=skoda,vw&attr.fuel=diesel&attr.mileageKm.min=1&attr.mileageKm.max=90000&near=52.53,13.39&radiusKm=5&publishedAfter=2020-01-01T00:00:00Z&withImages=false&sort=distance&limit=1&count=true`;
  const { status, body } = await get(all);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { data: [{ seller: { dealerId: garage.id } }], meta: { totalCount: '2' } },
  });
  const next = await get(`${all}&cursor=${body.page.nextCursor}`);
  expect(next).toMatchObject({ status: 200, body: { page: { nextCursor: null } } });
  expect(next.body.data[0].id).not.toBe(body.data[0].id);
  expect((await get('/listings?bounds=52,13,53,14&sort=-mileageKm')).body.data).toHaveLength(3);
  expect((await get('/listings?bounds=-10,170,10,-170')).body.data).toEqual([]);
});

test.each([
  ['a search with an unknown attribute', '/listings?attr.wings=2', 'unsupported_parameter'],
  ['a place that is not a number', '/listings?near=52.5,x', 'malformed_request'],
  ['a place that is not finite', '/listings?near=52.5,Infinity', 'malformed_request'],
  ['a place without a longitude', '/listings?near=52.5', 'malformed_request'],
  ['three sides of a map', '/listings?bounds=1,2,3', 'malformed_request'],
  ['an order by something unknown', '/listings?sort=!', 'unsupported_parameter'],
  ['an order by a text attribute', '/listings?sort=-make', 'unsupported_parameter'],
  ['an order in the notation of GraphQL', '/listings?sort=PRICE_ASC', 'unsupported_parameter'],
  ['a flag that is neither true nor false', '/listings?withImages=maybe', 'malformed_request'],
  ['a request for no facets', '/facets', 'malformed_request'],
  ['a page of facets', '/facets?facets=make&limit=3', 'unsupported_parameter'],
  ['facets of an unknown attribute', '/facets?facets=make&attr.wings=2', 'unsupported_parameter'],
  ['facets by price without a currency', '/facets?facets=make&price.min=3', 'malformed_request'],
])('a route refuses %s', async (_, path, code) => {
  expect(await get(path)).toBeRefused(400, code);
});

test('the route of facets accepts the parameters of a search', async () => {
  const { body } = await get(
    '/facets?facets=price,make,condition&condition=new&attr.make=skoda&near=52.53,13.39',
  );
  expect(body).toMatchObject({
    total: 0,
    complete: true,
    facets: [
      { name: 'price', buckets: [], range: null },
      { name: 'make', buckets: [] },
      { name: 'condition', buckets: [{ value: 'used', count: 3 }] },
    ],
  });
});

test('the category tree is revalidated by its entity tag, separately for each language', async () => {
  const tree = await get('/categories?locale=de');
  expect(tree.body.data).toHaveLength(9);
  expect(tree.body.data[0]).toMatchObject({ slug: 'vehicles', name: 'Fahrzeuge' });
  const tag = tree.headers.get('etag') ?? '';
  expect(tree.headers.get('cache-control')).toContain('public, max-age=300');
  expect((await get('/categories?locale=de', { 'if-none-match': tag })).status).toBe(304);
  expect((await get('/categories?locale=en', { 'if-none-match': tag })).status).toBe(200);
});

test('the public page of a dealer has its locations, and no email addresses or members', async () => {
  const page = await get(`/dealers/${garage.slug}`);
  expect(page.body).toMatchObject({
    id: garage.id,
    activeListings: 3,
    locations: [{ name: 'North' }, { name: 'South' }],
  });
  expect(JSON.stringify(page.body)).not.toMatch(/@|members|usr_/);
  const tag = page.headers.get('etag') ?? '';
  expect((await get(`/dealers/${garage.id}`, { 'if-none-match': tag })).status).toBe(304);
});
