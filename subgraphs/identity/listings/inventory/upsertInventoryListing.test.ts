import { concurrently } from '../../../../test/support/concurrently.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { completeListing, unique } from '../../../../test/support/seed.ts';
import { recordsOf } from '../listing/fixture/recordsOf.ts';
import type { ListingRecord } from '../listing/record/model.ts';

const world = product();
const { market } = world;
const { listings } = recordsOf(market);
let number: string;

const garage = perFile(() => market.dealer());
beforeEach(() => {
  number = unique('A/1');
});

const car = (members: object = {}) => ({
  ...completeListing(market.categories),
  condition: 'used',
  ...members,
});
const put = (body: object, { stockNumber = number, by = garage.owner, dealer = garage, headers = {} } = {}) =>
  by.rest('PUT', `/api/v1/dealers/${dealer.id}/inventory/${encodeURIComponent(stockNumber)}`, {
    body,
    headers,
  });
const stored = () => listings().find({ 'owner.id': garage.id, stockNumber: number });
const set = (members: Partial<ListingRecord>) =>
  listings().findOneAndUpdate({ stockNumber: number }, { $set: members });

test('the first write creates a listing, the next one changes it, and an equal one changes nothing', async () => {
  const first = await put(car());
  const { id } = first.body;
  expect(first).toMatchObject({ status: 201, body: { state: 'draft', stockNumber: number } });
  expect(first.body).not.toHaveProperty('created');
  expect(first.headers.get('location')).toBe(`/api/v1/listings/${id}`);
  const price = { amount: 990_000, currency: 'EUR' };
  const second = await put(car({ price, title: first.body.title }));
  expect(second).toMatchObject({ status: 200, body: { id, version: 2, price } });
  const third = await put(car({ price, title: first.body.title }));
  expect(third).toMatchObject({ status: 200, body: { version: 2 } });
  expect(third.headers.get('etag')).toBe(second.headers.get('etag'));
});

test('a write keeps absent members of a listing and clears those that are null', async () => {
  await put(car({ title: 'Skoda Octavia, one owner' }));
  const { body } = await put({ attributes: { fuel: null }, location: null });
  expect(body).toMatchObject({
    title: 'Skoda Octavia, one owner',
    location: null,
    attributes: { make: 'skoda' },
  });
  expect(body.attributes).not.toHaveProperty('fuel');
});

test('null in a member that every listing has is the same as omitted, so that a repetition changes nothing', async () => {
  const empty = { language: null, priceType: null, tax: null, contact: null };
  const place = { postalCode: '10115', city: 'Berlin', country: 'DE' };
  const body = car({ ...empty, location: { ...place, precision: null } });
  const first = await put(body);
  expect(first).toMatchObject({
    status: 201,
    body: {
      language: 'en',
      priceType: 'fixed',
      tax: { mode: 'none' },
      location: { precision: 'approximate' },
    },
  });
  expect(await put(body)).toMatchObject({ status: 200, body: { version: 1 } });
  await put({ priceType: 'negotiable', tax: { mode: 'vat_included' }, contact: { showPhone: true } });
  const kept = { priceType: 'negotiable', tax: { mode: 'vat_included' }, contact: { showPhone: true } };
  const members = { tax: { mode: null }, contact: { showPhone: null } };
  for (const again of [body, { ...body, ...members }])
    expect(await put(again)).toMatchObject({ status: 200, body: { version: 2, ...kept } });
});

test('a write with `publish` publishes the listing immediately, also repeatedly', async () => {
  const shown = async (listingId: string) => (await market.visitor.catalogListing({ listingId })).title;
  const { status, body } = await put(car({ publish: true, title: 'The first title' }));
  expect([status, body.state, await shown(body.id)]).toEqual([201, 'active', 'The first title']);
  const second = await put({ title: 'Another title of it', publish: true });
  expect(second).toMatchObject({ status: 200, body: { state: 'active' } });
  expect(await shown(body.id)).toBe('Another title of it');
});

test('a write with `publish` of an incomplete listing is refused and stores nothing', async () => {
  const errors = [{ pointer: '#/description', code: 'required' }];
  const answer = await put(car({ publish: true, description: null }));
  expect(answer).toBeRefused(422, 'listing_incomplete', { errors });
  expect(await stored()).toEqual([]);
});

test('a category can be stated by its slug or its id, and is refused with both', async () => {
  const { categoryId, ...rest } = car() as Record<string, unknown>;
  expect((await put({ ...rest, category: 'cars' })).body).toMatchObject({ categoryId });
  expect(await put({ category: 'cars', categoryId })).toBeInvalid('#/category');
  expect(await put({ category: 'spaceships' })).toBeInvalid('#/category');
});

test('a refused write names every invalid member', async () => {
  const price = { amount: -1, currency: 'XYZ' };
  const body = car({ title: 'abc', price, attributes: { make: 'skoda', wings: 2 } });
  const pointers = ['#/title', '#/price/amount', '#/price/currency', '#/attributes/wings'];
  const errors = pointers.map((pointer) => ({ pointer }));
  expect(await put(body)).toBeRefused(422, undefined, { errors });
  expect(await put(car(), { stockNumber: 'ü' })).toBeInvalid('#/stockNumber');
});

test('a write with If-Match is refused if there is no listing', async () => {
  const headers = { 'if-match': '"1-00000000"' };
  expect(await put(car(), { headers })).toBeRefused(412, 'precondition_failed');
});

test('a rejected listing can be published again only after a change, and a sold one cannot be changed', async () => {
  await put(car({ publish: true }));
  await set({ state: 'rejected' });
  const allowedFrom = { state: 'rejected' };
  expect(await put({ publish: true })).toBeRefused(409, 'invalid_transition', { allowedFrom });
  const changed = await put({ title: 'Without the fault', publish: true });
  expect(changed).toMatchObject({ status: 200, body: { state: 'active' } });
  const sale = { soldAt: new Date(), channel: 'elsewhere' as const, price: null, buyerUserId: null };
  await set({ state: 'sold', sale });
  expect(await put({ title: 'Sold already' })).toBeRefused(409, 'invalid_transition');
});

test('only a write with `publish` publishes an expired or paused listing again', async () => {
  await put(car({ publish: true }));
  await set({ expiresAt: new Date(world.stack.platform.now() - 1000) });
  const changed = await put({ title: 'Changed while expired' });
  expect(Date.parse(changed.body.expiresAt)).toBeLessThan(world.stack.platform.now());
  const { body } = await put({ publish: true });
  expect(body.state).toBe('active');
  expect(Date.parse(body.expiresAt)).toBeGreaterThan(world.stack.platform.now());
  await set({ state: 'paused' });
  expect((await put({ title: 'Changed while paused' })).body.state).toBe('paused');
  expect((await put({ publish: true })).body.state).toBe('active');
});

test('the stock number of an archived listing can be used again', async () => {
  const first = await put(car({ publish: true }));
  await garage.owner.archiveListing({ listingId: first.body.id });
  const second = await put(car());
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
  expect(await stored()).toMatchObject([{ _id: second.body.id }]);
});

test('twenty concurrent writes with a new stock number create one listing', async () => {
  const body = car({ publish: true });
  const answers = await concurrently(20, () => put(body));
  const others = answers.map(({ status }) => status).filter((status) => status !== 201);
  expect(others).toHaveLength(19);
  expect(others.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(await stored()).toMatchObject([{ version: 1 }]);
});

test('concurrent writes publish no more listings than the limit of the dealer', async () => {
  const dealer = await market.dealer({ limits: { maxActiveListings: 2 } });
  const of = { dealer, by: dealer.owner };
  const body = car({ publish: true });
  const answers = await concurrently(6, (index) => put(body, { stockNumber: `L${index}`, ...of }));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.sort((a, b) => a - b)).toEqual([201, 201, 403, 403, 403, 403]);
  expect(await listings().count({ 'owner.id': dealer.id })).toBe(2);
});

test('an agent of one location cannot change a listing of another one or move a listing there', async () => {
  const agent = await market.user();
  const dealer = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const [north, south] = dealer.locationIds as [string, string];
  const member = { dealerId: dealer.id, userId: agent.id };
  await dealer.owner.updateDealerMember({ ...member, locationIds: [north] });
  await dealer.listing({ stockNumber: 'N4', dealerLocationId: south });
  const write = (stockNumber: string, body: object) => put(body, { stockNumber, dealer, by: agent });
  expect((await write('N1', car({ dealerLocationId: north }))).status).toBe(201);
  for (const answer of [
    await write('N2', car({ dealerLocationId: south })),
    await write('N3', car()),
    await write('N1', { dealerLocationId: south }),
    await write('N4', { title: 'At another location' }),
  ])
    expect(answer).toBeRefused(403, 'dealer_role_required');
});
