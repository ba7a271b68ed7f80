import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import {
  completeListing,
  type SeededDealer,
  type SeededInstallation,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { DealerModel } from '../dealer/model.ts';
import { ListingModel } from '../listing/model.ts';
import { buildIdentity } from '../server.ts';

let rest: RestStack;
let shop: SeededInstallation;
let garage: SeededDealer;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
  garage = await shop.dealer();
});
afterAll(() => rest.close());

const car = (members: object = {}) => ({
  ...completeListing(shop.categories),
  condition: 'used',
  ...members,
});
const put = (number: string, body: object, headers: Record<string, string> = {}, dealer = garage) =>
  rest.call('PUT', `/api/v1/dealers/${dealer.id}/inventory/${encodeURIComponent(number)}`, {
    token: dealer.owner.token,
    body,
    headers,
  });
const stored = (stockNumber: string) => ListingModel.find({ installationId: 'ins_demo', stockNumber }).lean();

test('the first call makes the listing, the next one changes it, the same again changes nothing', async () => {
  const number = unique('A/1');
  const body = car();
  const first = await put(number, body);
  expect([first.status, first.body.state, first.body.stockNumber, first.body.created]).toEqual([
    201,
    'draft',
    number,
    undefined,
  ]);
  expect(first.headers.get('location')).toBe(`/api/v1/listings/${first.body.id}`);
  const second = await put(number, { ...body, price: { amount: 990_000, currency: 'EUR' } });
  expect([second.status, second.body.id, second.body.version, second.body.price.amount]).toEqual([
    200,
    first.body.id,
    2,
    990_000,
  ]);
  const third = await put(number, { ...body, price: { amount: 990_000, currency: 'EUR' } });
  expect([third.status, third.body.version, third.headers.get('etag')]).toEqual([
    200,
    2,
    second.headers.get('etag'),
  ]);
});

test('what is left out stays, null clears', async () => {
  const number = unique('B');
  await put(number, car({ title: 'Skoda Octavia, one owner' }));
  const { body } = await put(number, { attributes: { fuel: null }, location: null });
  expect(body).toMatchObject({ title: 'Skoda Octavia, one owner', location: null });
  expect(body.attributes).not.toHaveProperty('fuel');
  expect(body.attributes).toHaveProperty('make', 'skoda');
});

test('with publish it is in the catalogue at once, and stays there when it is said again', async () => {
  const number = unique('C');
  const first = await put(number, car({ publish: true }));
  expect([first.status, first.body.state]).toEqual([201, 'active']);
  const seen = await rest.call('GET', `/api/v1/catalog/listings/${first.body.slug}`);
  expect([seen.status, seen.body.title]).toEqual([200, first.body.title]);
  const second = await put(number, { title: 'Another title of it', publish: true });
  expect([second.status, second.body.state]).toEqual([200, 'active']);
  const changed = await rest.call('GET', `/api/v1/catalog/listings/${first.body.slug}`);
  expect(changed.body.title).toBe('Another title of it');
});

test('what lacks something is not published, and nothing of the call is written', async () => {
  const number = unique('D');
  const { description: _, ...incomplete } = car({ publish: true }) as Record<string, unknown>;
  const answer = await put(number, incomplete);
  expect([answer.status, answer.body.code]).toEqual([422, 'listing_incomplete']);
  expect(answer.body.errors).toEqual([
    expect.objectContaining({ pointer: '#/description', code: 'required' }),
  ]);
  expect(await stored(number)).toEqual([]);
});

test('the slug of a category is as good as its id, but not beside it', async () => {
  const number = unique('E');
  const { categoryId, ...rest } = car() as Record<string, unknown>;
  expect((await put(number, { ...rest, category: 'cars' })).body.categoryId).toBe(categoryId);
  const both = await put(number, { category: 'cars', categoryId });
  expect([both.status, both.body.errors[0].pointer]).toEqual([422, '#/category']);
  const unknown = await put(number, { category: 'spaceships' });
  expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '#/category']);
});

test('every wrong member is named at once, with its pointer', async () => {
  const answer = await put(unique('F'), {
    ...car(),
    title: 'abc',
    price: { amount: -1, currency: 'XYZ' },
    attributes: { make: 'skoda', wings: 2 },
  });
  expect(answer.status).toBe(422);
  expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '#/title',
    '#/price/amount',
    '#/price/currency',
    '#/attributes/wings',
  ]);
});

test('a stock number has 64 characters of its alphabet', async () => {
  const answer = await put('ü', car());
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '#/stockNumber']);
});

test('a write that is meant for another version is refused, and one for a listing that is not there', async () => {
  const number = unique('G');
  const missing = await put(number, car(), { 'if-match': '"1-00000000"' });
  expect([missing.status, missing.body.code]).toEqual([412, 'precondition_failed']);
  const first = await put(number, car());
  await put(number, { title: 'Changed by somebody else' }, { 'if-match': first.headers.get('etag') ?? '' });
  const late = await put(
    number,
    { title: 'Too late for this' },
    { 'if-match': first.headers.get('etag') ?? '' },
  );
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
});

test('what is sold is not changed, and what a moderator rejected does not come back as it was', async () => {
  const number = unique('H');
  const { body } = await put(number, car({ publish: true }));
  const set = (members: object) =>
    ListingModel.updateOne({ _id: body.id, installationId: 'ins_demo' }, { $set: members });
  await set({ state: 'rejected' });
  const again = await put(number, { publish: true });
  expect([again.status, again.body.code, again.body.allowedFrom.state]).toEqual([
    409,
    'invalid_transition',
    'rejected',
  ]);
  const other = await put(number, { title: 'Without what was wrong', publish: true });
  expect([other.status, other.body.state]).toEqual([200, 'active']);
  await set({
    state: 'sold',
    sale: { soldAt: new Date(), channel: 'elsewhere', price: null, buyerUserId: null },
  });
  const sold = await put(number, { title: 'Sold already' });
  expect([sold.status, sold.body.code]).toEqual([409, 'invalid_transition']);
});

test('what has expired or is paused is shown again by publish, and by nothing else', async () => {
  const number = unique('I');
  const { body } = await put(number, car({ publish: true }));
  const set = (members: object) =>
    ListingModel.updateOne({ _id: body.id, installationId: 'ins_demo' }, { $set: members });
  await set({ expiresAt: new Date(rest.stack.platform.now() - 1000) });
  expect((await put(number, { title: 'Changed while expired' })).body.expiresAt).not.toBeNull();
  const renewed = await put(number, { publish: true });
  expect(renewed.body.state).toBe('active');
  expect(Date.parse(renewed.body.expiresAt)).toBeGreaterThan(rest.stack.platform.now());
  await set({ state: 'paused' });
  expect((await put(number, { title: 'Changed while paused' })).body.state).toBe('paused');
  expect((await put(number, { publish: true })).body.state).toBe('active');
});

test('the number of an archived listing is free for the next one', async () => {
  const number = unique('J');
  const first = await put(number, car({ publish: true }));
  await rest.call('DELETE', `/api/v1/listings/${first.body.id}`, { token: garage.owner.token });
  const second = await put(number, car());
  expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
  expect((await stored(number)).map(({ _id }) => _id)).toEqual([second.body.id]);
});

test('of fifty at once with a new number one makes the listing', async () => {
  const number = unique('K');
  const body = car({ publish: true });
  const answers = await Promise.all(Array.from({ length: 50 }, () => put(number, body)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect({ made: count(201), found: count(200), busy: count(409) }).toMatchObject({ made: 1 });
  expect(count(200) + count(409)).toBe(49);
  const listings = await stored(number);
  expect(listings.map(({ version }) => version)).toEqual([1]);
}, 60_000);

test('a dealer shows no more than its limit by stock either', async () => {
  const small = await shop.dealer();
  await DealerModel.updateOne(
    { _id: small.id, installationId: 'ins_demo' },
    { $set: { 'limits.maxActiveListings': 2 } },
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => put(`L${index}`, car({ publish: true }), {}, small)),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 201, 403, 403, 403, 403]);
  expect(await ListingModel.countDocuments({ installationId: 'ins_demo', 'owner.id': small.id })).toBe(2);
});

test('an agent of one location neither takes nor places a listing elsewhere', async () => {
  const agent = await shop.user();
  const dealer = await shop.dealer();
  const [north = '', south = ''] = dealer.locationIds;
  await DealerModel.updateOne(
    { _id: dealer.id, installationId: 'ins_demo' },
    { $push: { members: { userId: agent.id, role: 'agent', locationIds: [north], joinedAt: new Date() } } },
  );
  rest.stack.platform.forgetPrincipal({ userId: agent.id });
  const byAgent = (number: string, body: object) =>
    rest.call('PUT', `/api/v1/dealers/${dealer.id}/inventory/${number}`, { token: agent.token, body });
  expect((await byAgent('N1', car({ dealerLocationId: north }))).status).toBe(201);
  for (const refused of [
    await byAgent('N2', car({ dealerLocationId: south })),
    await byAgent('N3', car()),
    await byAgent('N1', { dealerLocationId: south }),
  ])
    expect([refused.status, refused.body.code]).toEqual([403, 'dealer_role_required']);
  await put('N4', car({ dealerLocationId: south }), {}, dealer);
  const foreign = await byAgent('N4', { title: 'Not his own place' });
  expect([foreign.status, foreign.body.code]).toEqual([403, 'dealer_role_required']);
});
