import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededDealer, unique } from '../../../../test/support/seed.ts';
import { CatalogListingModel } from '../../listings/catalog/public-listing/model.ts';
import { address, yard } from './fixture/yard.ts';
import { DealerModel, type DealerRecord } from './model.ts';

const { market } = product();

const administrator = perFile(() => market.staff('installation_admin'));
const dealer = perTest(() => market.dealer());

const dealers = () => market.records(DealerModel);
const stored = (id: string) => dealers().findOne({ _id: id });
const put = ({ id }: SeededDealer, $set: Partial<DealerRecord>) =>
  dealers().findOneAndUpdate({ _id: id }, { $set });
const update = (members: object, of = dealer, by = of.owner) =>
  by.updateDealer({ dealerId: of.id, ...members });
const only = (id: string | undefined) => ({ locations: [{ ...yard, id, default: true }] });

test('an update of a dealer replaces the stated members, merges the address and raises the version', async () => {
  const garage = await market.dealer({ address: { ...address, line2: 'Yard 2', region: null } });
  const { tradeName } = (await stored(garage.id)) ?? {};
  const change = { legalName: 'Neu GmbH', website: 'https://neu.example' };
  const moved = await update({ ...change, address: { city: 'Potsdam', line2: null } }, garage);
  expect(moved.dealer).toMatchObject({
    ...change,
    tradeName,
    address: { ...address, city: 'Potsdam', line2: null },
    version: 2,
  });
  const cleared = await update({ website: null, description: null }, garage);
  expect(cleared.dealer).toMatchObject({ website: null, version: 3 });
  expect((await update({ legalName: 'Neu GmbH' }, garage)).dealer).toMatchObject({ version: 3 });
});

test('an update of a dealer keeps locations with an id, creates those without, and refuses other ids', async () => {
  const [north, south] = dealer.locationIds;
  const renamed = { ...yard, id: south, name: 'South renamed', default: true };
  const { locations } = (await update({ locations: [renamed, { ...yard, name: 'New' }] })).dealer;
  expect(locations.map(({ id, name }) => [id, name])).toEqual([
    [south, 'South renamed'],
    [expect.not.stringMatching(north ?? ''), 'New'],
  ]);
  for (const id of [north, 'loc_00000000000000000000000000', ''])
    expect(await update(only(id))).toBeInvalid('#/locations/0/id');
  const twice = [renamed, { ...renamed, default: false }];
  expect(await update({ locations: twice })).toBeInvalid('#/locations/1/id');
});

test('a location of a listing, or to which a member is restricted, cannot be removed', async () => {
  const agent = await market.user();
  const [north, south = ''] = dealer.locationIds;
  const { id } = await dealer.listing({ dealerLocationId: south });
  expect(await update(only(north))).toBeRefused(409, 'in_use');
  await dealer.owner.archiveListing({ listingId: id });
  const { members = [] } = (await stored(dealer.id)) ?? {};
  const restricted = { userId: agent.id, role: 'agent' as const, locationIds: [south], joinedAt: new Date() };
  await put(dealer, { members: [...members, restricted] });
  expect(await update(only(north))).toBeRefused(409, 'in_use');
  await put(dealer, { members });
  expect((await update(only(north))).dealer.locations).toHaveLength(1);
});

test('public listings have the current trade name and the current locations of their dealer', async () => {
  const [north, south] = dealer.locationIds;
  const listings = [
    await dealer.listing({ published: true, dealerLocationId: north, location: null }),
    await dealer.listing({ published: true }),
  ];
  const tradeName = unique('Renamed');
  const moved = { ...yard, id: north, address: { ...address, city: 'Hamburg' }, default: true };
  await update({ tradeName, locations: [moved, { ...yard, id: south }] });
  const copies = await Promise.all(
    listings.map(({ id }) => market.records(CatalogListingModel).findOne({ _id: id })),
  );
  expect(copies.map((copy) => [copy?.seller.name, copy?.location?.city])).toEqual([
    [tradeName, 'Hamburg'],
    [tradeName, 'Berlin'],
  ]);
  expect((await dealer.owner.me()).dealerMemberships).toMatchObject([{ name: tradeName }]);
});

test('earlier slugs stay reserved for the dealer, which can use them again', async () => {
  const next = unique('next');
  expect((await update({ slug: next })).dealer).toMatchObject({ slug: next });
  expect((await stored(dealer.id))?.slugs).toEqual([next, dealer.slug]);
  await update({ slug: dealer.slug });
  expect((await stored(dealer.id))?.slugs).toEqual([dealer.slug, next]);
  const other = await market.dealer();
  for (const slug of [next, dealer.slug])
    expect(await update({ slug }, other)).toBeRefused(409, 'slug_taken');
});

test('managers and the staff can change the profile of a dealer, and only owners can change payouts', async () => {
  const manager = await market.user();
  const garage = await market.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
  const schedule = { payout: { schedule: { interval: 'WEEKLY', anchor: 5 } } };
  for (const by of [manager, administrator]) {
    expect(await update({ legalName: `Of ${by.id}` }, garage, by)).not.toBeRefused();
    expect(await update(schedule, garage, by)).toBeRefused(403, 'dealer_role_required');
  }
  await update(schedule, garage);
  expect(await stored(garage.id)).toMatchObject({
    legalName: `Of ${administrator.id}`,
    payout: { schedule: { interval: 'weekly', anchor: 5 } },
  });
  const filter = { 'target.id': garage.id, action: 'updateDealer', result: 'allowed' } as const;
  const audited = await market.audits(filter);
  expect(audited).toMatchObject([{ actor: { id: administrator.id }, reason: 'changed: legalName' }]);
});

test.each([
  ['a weekly schedule without a day', { interval: 'WEEKLY' }],
  ['a weekly schedule on day 8', { interval: 'WEEKLY', anchor: 8 }],
  ['a monthly schedule on day 29', { interval: 'MONTHLY', anchor: 29 }],
  ['a daily schedule with a day', { interval: 'DAILY', anchor: 1 }],
])('%s is refused', async (_, schedule) => {
  expect(await update({ payout: { schedule } })).toBeInvalid('#/payout/schedule/anchor');
});

test('country and currency of a dealer can be changed until its approval', async () => {
  const garage = await market.dealer({ state: 'onboarding' });
  const fixed = { amount: 99, currency: 'EUR' };
  await put(garage, { commission: { rateBps: 250, fixed, taxRateBps: 1900 } });
  await update({ country: 'AT', currency: 'CHF' }, garage);
  const { body } = await garage.owner.rest('GET', `/api/v1/dealers/${garage.id}`);
  expect(body).toMatchObject({
    country: 'AT',
    currency: 'CHF',
    payout: { minimumAmount: { amount: 0, currency: 'CHF' } },
    commission: { fixed: { amount: 99, currency: 'CHF' } },
  });
  await put(garage, { state: 'active' });
  const errors = [{ pointer: '#/country' }, { pointer: '#/currency' }];
  const answer = await update({ country: 'DE', currency: 'EUR' }, garage);
  expect(answer).toBeRefused(422, 'read_only_field', { errors });
  expect(await update({ country: 'AT', legalName: 'Same country GmbH' }, garage)).not.toBeRefused();
});

test('an update of a dealer with null for required members is refused', async () => {
  const wrong = { tradeName: null, payout: { schedule: null } };
  expect(await update(wrong)).toBeRefused(422, undefined, {
    errors: [
      { pointer: '#/tradeName', code: 'validation_failed' },
      { pointer: '#/payout/schedule', code: 'validation_failed' },
    ],
  });
});

test.each(['suspended', 'closing', 'closed'] as const)(
  'members of a %s dealer can read it and cannot change it',
  async (state) => {
    const garage = await market.dealer({ state });
    const change = { legalName: 'X GmbH' };
    expect(await update(change, garage)).toBeRefused(403, 'dealer_not_active');
    expect(await garage.owner.dealer({ dealerId: garage.id })).not.toBeRefused();
    const byStaff = await update(change, garage, administrator);
    if (state === 'suspended') expect(byStaff.dealer.legalName).toBe('X GmbH');
    else expect(byStaff).toBeRefused(409, 'invalid_transition');
  },
);

test('concurrent updates of different members of a dealer are all stored', async () => {
  const values = {
    legalName: 'At once',
    description: 'At once',
    website: 'https://x.example',
    contactPhone: '+4912345678',
  };
  const updates = Object.entries(values).map(async ([member, value]) => {
    for (;;) {
      const answer = await update({ [member]: value });
      if (!isRefused(answer)) return;
      expect(answer).toBeRefused(409, 'concurrent_update');
    }
  });
  await Promise.all(updates);
  expect(await stored(dealer.id)).toMatchObject({ ...values, version: 5 });
});
