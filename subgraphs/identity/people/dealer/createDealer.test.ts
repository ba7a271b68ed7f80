import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { unique } from '../../../../test/support/seed.ts';
import { address, yard } from './fixture/yard.ts';
import { DealerModel } from './model.ts';

const { market, neighbour } = product();
const anna = perTest(() => market.user());

const dealers = () => market.records(DealerModel);
const minimal = () => ({
  legalName: 'Muster GmbH',
  tradeName: unique('Muster Autos'),
  contactEmail: 'info@muster.example',
  country: 'DE',
});
const create = (members: object = {}, by = anna) => by.createDealer({ ...minimal(), ...members });

test('a new dealer is owned by the caller and has the stated members and the terms of the installation', async () => {
  const settings = { dealerCommission: { rateBps: 250, fixedAmount: 99, taxRateBps: 1900 } };
  const shop = await neighbour({ settings });
  const founder = await shop.user();
  const profile = {
    description: '# We\n\nsell **cars**.',
    website: 'https://cars.example/',
    contactPhone: '+4930123456',
  };
  const tradeName = unique('Škoda Händler');
  const members = { ...profile, address, locations: [yard], tradeName: ` ${tradeName} ` };
  const { dealer } = await create(members, founder);
  expect(dealer).toMatchObject({
    ...profile,
    legalName: 'Muster GmbH',
    tradeName,
    slug: tradeName.toLowerCase().replace('škoda händler', 'skoda-handler'),
    currency: 'EUR',
    address: { ...address, line2: null, region: null },
    locations: [{ ...yard, id: expect.stringMatching(/^loc_/), default: true }],
    state: 'ONBOARDING',
    commission: { rateBps: 250, fixed: { amount: 99, currency: 'EUR' }, taxRateBps: 1900 },
    limits: { maxActiveListings: 5000, maxMembers: 200 },
    stats: { activeListings: 0, medianResponseMinutes: null, memberSince: dealer.createdAt },
    members: [{ userId: founder.id, role: 'OWNER' }],
    version: 1,
  });
  const { dealerMemberships } = await founder.me();
  expect(dealerMemberships).toMatchObject([{ dealerId: dealer.id, role: 'OWNER' }]);
});

test('a new dealer has no verification and no payout account', async () => {
  const { status, body } = await anna.rest('POST', '/api/v1/dealers', { body: minimal() });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    state: 'onboarding',
    verification: { state: 'not_started', version: 0, documents: [] },
    payout: {
      accountState: 'none',
      requirementsDue: [],
      schedule: { interval: 'manual', anchor: null },
      minimumAmount: { amount: 0, currency: 'EUR' },
    },
  });
});

test('a refused dealer names every invalid member', async () => {
  const answer = await create({
    legalName: 'A',
    tradeName: 'x'.repeat(121),
    slug: 'No Spaces',
    description: '<b>bold</b>',
    website: 'http://insecure.example',
    contactEmail: 'nobody',
    contactPhone: '030',
    country: 'de',
    currency: 'EURO',
    address: { line1: '', postalCode: '1'.repeat(17), city: 'B', country: 'XX', line2: 'a\u202eb' },
    locations: [
      { ...yard, id: 'loc_none', name: '', geo: { lat: 91, lng: -181 }, phone: '1', default: true },
      { ...yard, default: true },
      {
        ...yard,
        openingHours: [
          { day: 'MON', opens: '8:00', closes: '12:00' },
          { day: 'TUE', opens: '08:00', closes: '25:00' },
          { day: 'WED', opens: '08:00', closes: '07:00' },
          { day: 'THU', opens: '08:00', closes: '12:00' },
          { day: 'THU', opens: '11:59', closes: '13:00' },
        ],
      },
    ],
  });
  const names = ['legalName', 'tradeName', 'slug', 'description', 'website', 'contactEmail', 'contactPhone'];
  const ofAddress = ['line1', 'line2', 'postalCode', 'country'].map((name) => `address/${name}`);
  const ofFirst = ['id', 'name', 'geo/lat', 'geo/lng', 'phone'].map((name) => `locations/0/${name}`);
  const hours = ['0/opens', '1/closes', '2/closes', '4'].map((place) => `locations/2/openingHours/${place}`);
  const wrong = [...names, 'country', 'currency', ...ofAddress, 'locations', ...ofFirst, ...hours];
  expect(answer).toBeRefused(422, 'validation_failed', {
    errors: wrong.map((place) => ({ pointer: `#/${place}` })),
  });
});

test.each([
  ['a website with a name and password', { website: 'https://bank.example:x@evil.example' }],
  ['a description of 5,001 characters', { description: 'x'.repeat(5001) }],
  ['51 locations', { locations: Array.from({ length: 51 }, (_, i) => ({ ...yard, default: i === 0 })) }],
  ['two locations without a default', { locations: [yard, yard] }],
  ['a slug of two characters', { slug: 'ab' }],
  ['a slug with two hyphens in a row', { slug: 'a--b' }],
  ['a trade name from which no slug can be derived', { tradeName: '汽车行' }],
])('a new dealer with %s is refused', async (_, wrong) => {
  expect(await create(wrong)).toBeRefused(422, 'validation_failed');
});

test('a user with an unconfirmed email address cannot create a dealer', async () => {
  const unverified = await market.user({ emailVerified: false, state: 'unverified' });
  expect(await create({}, unverified)).toBeRefused(403, 'email_unverified');
});

test('a slug that another dealer of the installation has or had is refused for a new dealer', async () => {
  const { id: dealerId, slug, owner } = await market.dealer();
  expect(await create({ slug })).toBeRefused(409, 'slug_taken');
  await owner.updateDealer({ dealerId, slug: unique('moved') });
  expect(await create({ slug })).toBeRefused(409, 'slug_taken');
  expect(await create({ slug }, await (await neighbour()).user())).not.toBeRefused();
});

test('a user can own at most five dealers that are not closed, also for concurrent requests', async () => {
  const results = await concurrently(12, () => create());
  for (const refused of results.filter(isRefused)) expect(refused).toBeRefused(409);
  const own = () => dealers().find({ 'members.userId': anna.id });
  while ((await own()).length < 5) expect(await create()).not.toBeRefused();
  expect(await own()).toHaveLength(5);
  expect(await create()).toBeRefused(409, 'dealer_limit');
  const [first] = await own();
  await dealers().findOneAndUpdate({ _id: first?._id ?? '' }, { $set: { state: 'closed' } });
  expect(await create()).not.toBeRefused();
});
