import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
  unique,
} from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel } from '../listing/model.ts';
import { buildIdentity } from '../server.ts';
import { DealerModel, type DealerRecord } from './model.ts';

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation({
    settings: { dealerCommission: { rateBps: 250, fixedAmount: 99, taxRateBps: 1900 } },
  });
});
afterAll(() => stack.close());

const place = '{ line1 line2 postalCode city region country }';
const fields = `id legalName tradeName slug description website contactEmail contactPhone country currency
  address ${place} locations { id name address ${place} geo { lat lng } phone openingHours { day opens closes } default }
  state stateReason verification { state version } commission { rateBps fixed { amount currency } taxRateBps }
  limits { maxActiveListings maxMembers } stats { activeListings medianResponseMinutes memberSince }
  payout { accountState requirementsDue schedule { interval anchor } minimumAmount { amount currency } }
  members { userId role } version createdAt updatedAt`;
const create = `mutation ($input: CreateDealerInput!) { createDealer(input: $input) { dealer { ${fields} } } }`;
const update = `mutation ($input: UpdateDealerInput!) { updateDealer(input: $input) { dealer { ${fields} } } }`;

const run = (source: string, variables: Record<string, unknown>, by: { token: string }, at = shop) =>
  stack.execute(source, variables, { as: by.token, installation: at.installation });
const creating = (input: object, by: SeededUser) => run(create, { input }, by);
const changing = (dealer: SeededDealer, input: object, by: SeededUser = dealer.owner) =>
  run(update, { input: { dealerId: dealer.id, ...input } }, by);
const done = async (result: Promise<{ data?: any; errors?: any }>) => {
  const { data, errors } = await result;
  if (errors) throw errors[0];
  return (Object.values(data)[0] as any).dealer;
};
const showing = (dealerId: string, by: SeededUser, selection = fields) =>
  run(`query ($dealerId: ID!) { dealer(dealerId: $dealerId) { ${selection} } }`, { dealerId }, by);
const stored = (id: string) => scoped(DealerModel, shop.installation.id).findOne({ _id: id });
const put = (id: string, $set: Partial<DealerRecord>) =>
  scoped(DealerModel, shop.installation.id).findOneAndUpdate({ _id: id }, { $set });
const minimal = () => ({
  legalName: 'Muster GmbH',
  tradeName: unique('Muster Autos'),
  contactEmail: 'info@muster.example',
  country: 'DE',
});
const address = { line1: 'Hauptstr. 1', postalCode: '10115', city: 'Berlin', country: 'DE' };
const yard = {
  name: 'Yard',
  address,
  geo: { lat: 52.5, lng: 13.4 },
  phone: '+493012345',
  openingHours: [
    { day: 'MON', opens: '08:00', closes: '12:30' },
    { day: 'MON', opens: '13:30', closes: '18:00' },
    { day: 'SAT', opens: '00:00', closes: '24:00' },
  ],
};
/** A dealer with somebody in each role. */
const staffed = async () => {
  const [manager, agent] = [await shop.user(), await shop.user()];
  const dealer = await shop.dealer({
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
  return { dealer, manager, agent };
};

describe('founding a dealer', () => {
  test('makes the caller its owner, with everything that was said and the terms of the installation', async () => {
    const anna = await shop.user();
    const tradeName = unique('Škoda Händler');
    const dealer = await done(
      creating(
        {
          ...minimal(),
          tradeName: ` ${tradeName} `,
          description: '# We\n\nsell **cars**.',
          website: 'https://cars.example/',
          contactPhone: '+4930123456',
          address,
          locations: [yard],
        },
        anna,
      ),
    );
    expect(dealer).toMatchObject({
      legalName: 'Muster GmbH',
      tradeName,
      slug: tradeName.toLowerCase().replace('škoda händler', 'skoda-handler'),
      description: '# We\n\nsell **cars**.',
      website: 'https://cars.example/',
      contactPhone: '+4930123456',
      currency: 'EUR',
      address: { ...address, line2: null, region: null },
      locations: [{ ...yard, id: expect.stringMatching(/^loc_/), default: true }],
      state: 'ONBOARDING',
      verification: { state: 'NOT_STARTED', version: 0 },
      commission: { rateBps: 250, fixed: { amount: 99, currency: 'EUR' }, taxRateBps: 1900 },
      limits: { maxActiveListings: 5000, maxMembers: 200 },
      stats: { activeListings: 0, medianResponseMinutes: null, memberSince: dealer.createdAt },
      payout: {
        accountState: 'NONE',
        requirementsDue: [],
        schedule: { interval: 'MANUAL', anchor: null },
        minimumAmount: { amount: 0, currency: 'EUR' },
      },
      members: [{ userId: anna.id, role: 'OWNER' }],
      version: 1,
    });
    const me = await run('{ me { dealerMemberships { dealerId role } } }', {}, anna);
    expect(me.data?.me.dealerMemberships).toEqual([{ dealerId: dealer.id, role: 'OWNER' }]);
  });

  test('names every member that is wrong', async () => {
    const problem = problemOf(
      await creating(
        {
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
        },
        await shop.user(),
      ),
    );
    expect(problem).toMatchObject({ code: 'validation_failed', status: 422 });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual([
      '#/legalName',
      '#/tradeName',
      '#/slug',
      '#/description',
      '#/website',
      '#/contactEmail',
      '#/contactPhone',
      '#/country',
      '#/currency',
      '#/address/line1',
      '#/address/line2',
      '#/address/postalCode',
      '#/address/country',
      '#/locations',
      '#/locations/0/id',
      '#/locations/0/name',
      '#/locations/0/geo/lat',
      '#/locations/0/geo/lng',
      '#/locations/0/phone',
      '#/locations/2/openingHours/0/opens',
      '#/locations/2/openingHours/1/closes',
      '#/locations/2/openingHours/2/closes',
      '#/locations/2/openingHours/4',
    ]);
  });

  test.each([
    ['an address with a name and password', { website: 'https://bank.example:x@evil.example' }],
    ['a description that is too long', { description: 'x'.repeat(5001) }],
    ['51 locations', { locations: Array.from({ length: 51 }, (_, i) => ({ ...yard, default: i === 0 })) }],
    ['no default among two locations', { locations: [yard, yard] }],
    ['a slug that is too short', { slug: 'ab' }],
    ['a slug with two hyphens', { slug: 'a--b' }],
    ['a name that gives no slug', { tradeName: '汽车行' }],
  ])('refuses %s', async (_, wrong) => {
    const result = await creating({ ...minimal(), ...wrong }, await shop.user());
    expect([problemOf(result).status, result.data]).toEqual([422, null]);
  });

  test('needs a confirmed address, and a name in addresses that nobody has or had', async () => {
    const unverified = await shop.user({ emailVerified: false, state: 'unverified' });
    expect(problemOf(await creating(minimal(), unverified))).toMatchObject({ code: 'email_unverified' });
    const [first, second] = [await shop.dealer(), await shop.user()];
    const taken = { ...minimal(), slug: first.slug };
    expect(problemOf(await creating(taken, second))).toMatchObject({ code: 'slug_taken', status: 409 });
    await done(changing(first, { slug: unique('moved') }));
    expect(problemOf(await creating(taken, second))).toMatchObject({ code: 'slug_taken' });
    const elsewhere = await seed(stack).installation();
    const other = await elsewhere.user();
    await done(run(create, { input: taken }, other, elsewhere));
  });

  test('once with a key, however often it is repeated', async () => {
    const anna = await shop.user();
    const input = { ...minimal(), idempotencyKey: unique('key') };
    const [first, second] = [await done(creating(input, anna)), await done(creating(input, anna))];
    expect(second.id).toBe(first.id);
    expect(problemOf(await creating({ ...input, legalName: 'Another GmbH' }, anna))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await scoped(DealerModel, shop.installation.id).count({ 'members.userId': anna.id })).toBe(1);
  });

  test('by twenty at once makes five, and the next one when one of them is closed', async () => {
    const anna = await shop.user();
    const results = await Promise.all(Array.from({ length: 20 }, () => creating(minimal(), anna)));
    for (const result of results.filter(({ errors }) => errors))
      expect(['dealer_limit', 'concurrent_update']).toContain(problemOf(result).code);
    const own = () => scoped(DealerModel, shop.installation.id).find({ 'members.userId': anna.id });
    while ((await own()).length < 5) await done(creating(minimal(), anna));
    expect(await own()).toHaveLength(5);
    expect(problemOf(await creating(minimal(), anna))).toMatchObject({ code: 'dealer_limit', status: 409 });
    await put((await own())[0]?._id ?? '', { state: 'closed' });
    await done(creating(minimal(), anna));
  }, 60_000);
});

describe('what is seen of a dealer', () => {
  test('payouts are for managers, the verification for owners, the documents for them and those who verify', async () => {
    const { dealer, manager, agent } = await staffed();
    const [support, moderator, finance] = [
      await shop.staff('support'),
      await shop.staff('moderator'),
      await shop.staff('finance'),
    ];
    const fieldsOf = {
      payout: 'payout { accountState }',
      verification: 'verification { state }',
      documents: 'verification { documents { mediaId } }',
    };
    const seen = async (by: SeededUser) => {
      const verdicts: Record<string, string> = {};
      for (const [name, field] of Object.entries(fieldsOf)) {
        const result = await showing(dealer.id, by, field);
        verdicts[name] = result.errors ? problemOf(result).code : 'seen';
      }
      return verdicts;
    };
    const all = { payout: 'seen', verification: 'seen', documents: 'seen' };
    const role = 'dealer_role_required';
    expect(await seen(dealer.owner)).toEqual(all);
    expect(await seen(manager)).toEqual({ payout: 'seen', verification: role, documents: role });
    expect(await seen(agent)).toEqual({ payout: role, verification: role, documents: role });
    expect(await seen(support)).toEqual({ ...all, documents: 'ownership_required' });
    expect(await seen(moderator)).toEqual({ ...all, payout: 'ownership_required' });
    expect(await seen(finance)).toEqual({ ...all, documents: 'ownership_required' });
  });

  test('the staff’s looks at documents are remembered, the owner’s are not', async () => {
    const dealer = await shop.dealer();
    const moderator = await shop.staff('moderator');
    const looks = () =>
      scoped(AuditEventModel, shop.installation.id).count({
        action: 'DealerVerification.documents',
        'target.id': dealer.id,
      });
    await showing(dealer.id, dealer.owner, 'verification { documents { mediaId } }');
    await showing(dealer.id, moderator, 'verification { state }');
    expect(await looks()).toBe(0);
    await showing(dealer.id, moderator, 'verification { documents { mediaId } }');
    expect(await looks()).toBe(1);
  });

  test('published listings are counted, with one command for all dealers of a page', async () => {
    const dealer = await shop.dealer();
    await dealer.listing({ published: true });
    await dealer.listing();
    const { data } = await showing(dealer.id, dealer.owner, 'stats { activeListings }');
    expect(data?.dealer.stats).toEqual({ activeListings: 1 });
    const support = await shop.staff('support');
    const many =
      '{ adminDealers(first: 50) { nodes { id verification { state } stats { activeListings } } } }';
    await run('{ me { id } }', {}, support);
    const commands = await commandsOf(async () => {
      const result = await run(many, {}, support);
      expect(result.data?.adminDealers.nodes.length).toBeGreaterThan(5);
    });
    expect(commands.filter((command) => !/sessions|users/.test(command)).sort()).toEqual([
      'aggregate listings',
      'find dealers',
      'find dealers',
    ]);
  });
});

describe('changing a dealer', () => {
  test('puts what is sent in its place, merges the address, and answers the next version', async () => {
    const dealer = await shop.dealer({ address: { ...address, line2: 'Yard 2', region: null } });
    const before = await stored(dealer.id);
    const after = await done(
      changing(dealer, {
        legalName: 'Neu GmbH',
        website: 'https://neu.example',
        address: { city: 'Potsdam', line2: null },
      }),
    );
    expect(after).toMatchObject({
      legalName: 'Neu GmbH',
      tradeName: before?.tradeName,
      website: 'https://neu.example',
      address: { ...address, city: 'Potsdam', line2: null },
      version: 2,
    });
    expect(await done(changing(dealer, { website: null, description: null }))).toMatchObject({
      website: null,
      version: 3,
    });
    expect(await done(changing(dealer, { legalName: 'Neu GmbH' }))).toMatchObject({ version: 3 });
  });

  test('keeps places by id, makes new ones, and refuses those of nobody', async () => {
    const dealer = await shop.dealer();
    const [north = '', south = ''] = dealer.locationIds;
    const locations = [
      { ...yard, id: south, name: 'South renamed', default: true },
      { ...yard, name: 'New', default: false },
    ];
    const after = await done(changing(dealer, { locations }));
    expect(after.locations.map(({ id, name }: any) => [id, name])).toEqual([
      [south, 'South renamed'],
      [expect.not.stringMatching(north), 'New'],
    ]);
    for (const id of [north, 'loc_00000000000000000000000000', '']) {
      const problem = problemOf(await changing(dealer, { locations: [{ ...yard, id }] }));
      expect(problem.errors).toMatchObject([{ pointer: '#/locations/0/id' }]);
    }
    const twice = [
      { ...yard, id: south, default: true },
      { ...yard, id: south, default: false },
    ];
    expect(problemOf(await changing(dealer, { locations: twice })).errors).toMatchObject([
      { pointer: '#/locations/1/id' },
    ]);
  });

  test('a place where a listing stands, or to which a member is held, does not go', async () => {
    const agent = await shop.user();
    const dealer = await shop.dealer();
    const [north = '', south = ''] = dealer.locationIds;
    const only = (id: string) => ({ locations: [{ ...yard, id, default: true }] });
    const { id } = await dealer.listing({ dealerLocationId: south });
    expect(problemOf(await changing(dealer, only(north)))).toMatchObject({ code: 'in_use', status: 409 });
    await scoped(ListingModel, shop.installation.id).findOneAndUpdate(
      { _id: id },
      { $set: { state: 'archived' } },
    );
    const members = (await stored(dealer.id))?.members ?? [];
    const held = { userId: agent.id, role: 'agent' as const, locationIds: [south], joinedAt: new Date() };
    await put(dealer.id, { members: [...members, held] });
    expect(problemOf(await changing(dealer, only(north)))).toMatchObject({ code: 'in_use' });
    await put(dealer.id, { members });
    expect((await done(changing(dealer, only(north)))).locations).toHaveLength(1);
  });

  test('public listings follow the trade name and the places of business', async () => {
    const dealer = await shop.dealer();
    const [north = '', south = ''] = dealer.locationIds;
    const listings = [
      await dealer.listing({ published: true, dealerLocationId: north, location: null }),
      await dealer.listing({ published: true }),
    ];
    const tradeName = unique('Renamed');
    await done(
      changing(dealer, {
        tradeName,
        locations: [
          { ...yard, id: north, address: { ...address, city: 'Hamburg' }, default: true },
          { ...yard, id: south, default: false },
        ],
      }),
    );
    const copies = await Promise.all(
      listings.map(({ id }) => scoped(CatalogListingModel, shop.installation.id).findOne({ _id: id })),
    );
    expect(copies.map((copy) => copy?.seller.name)).toEqual([tradeName, tradeName]);
    expect(copies.map((copy) => copy?.location?.city)).toEqual(['Hamburg', 'Berlin']);
    const me = await run('{ me { dealerMemberships { name } } }', {}, dealer.owner);
    expect(me.data?.me.dealerMemberships).toEqual([{ name: tradeName }]);
  });

  test('old names in addresses stay the dealer’s, and it can go back to them', async () => {
    const dealer = await shop.dealer();
    const next = unique('next');
    expect(await done(changing(dealer, { slug: next }))).toMatchObject({ slug: next });
    expect((await stored(dealer.id))?.slugs).toEqual([next, dealer.slug]);
    await done(changing(dealer, { slug: dealer.slug }));
    expect((await stored(dealer.id))?.slugs).toEqual([dealer.slug, next]);
    const other = await shop.dealer();
    expect(problemOf(await changing(other, { slug: next }))).toMatchObject({ code: 'slug_taken' });
    expect(problemOf(await changing(other, { slug: dealer.slug }))).toMatchObject({ code: 'slug_taken' });
  });

  test('is for managers, payouts for owners, and the staff’s changes are remembered', async () => {
    const { dealer, manager, agent } = await staffed();
    const schedule = { payout: { schedule: { interval: 'WEEKLY', anchor: 5 } } };
    expect(problemOf(await changing(dealer, { legalName: 'X GmbH' }, agent))).toMatchObject({
      code: 'dealer_role_required',
    });
    // What only owners see is refused to him in the answer; the change is made.
    await changing(dealer, { legalName: 'By a manager' }, manager);
    expect(await stored(dealer.id)).toMatchObject({ legalName: 'By a manager' });
    for (const somebody of [manager, await shop.staff('installation_admin')])
      expect(problemOf(await changing(dealer, schedule, somebody))).toMatchObject({
        code: 'dealer_role_required',
        status: 403,
      });
    expect((await done(changing(dealer, schedule))).payout).toMatchObject({
      schedule: { interval: 'WEEKLY', anchor: 5 },
    });
    const administrator = await shop.staff('installation_admin');
    const byStaff = await changing(dealer, { legalName: 'By the staff' }, administrator);
    expect(byStaff.data?.updateDealer.dealer.legalName).toBe('By the staff');
    const lines = await scoped(AuditEventModel, shop.installation.id).find({
      'target.id': dealer.id,
      action: 'updateDealer',
      result: 'allowed',
    });
    expect(lines).toMatchObject([{ actor: { id: administrator.id }, reason: 'changed: legalName' }]);
  });

  test.each([
    ['a weekly schedule without a day', { interval: 'WEEKLY' }],
    ['a weekly schedule on day 8', { interval: 'WEEKLY', anchor: 8 }],
    ['a monthly schedule on day 29', { interval: 'MONTHLY', anchor: 29 }],
    ['a daily schedule with a day', { interval: 'DAILY', anchor: 1 }],
  ])('refuses %s', async (_, schedule) => {
    const dealer = await shop.dealer();
    expect(problemOf(await changing(dealer, { payout: { schedule } })).errors).toMatchObject([
      { pointer: '#/payout/schedule/anchor' },
    ]);
  });

  test('country and currency are fixed once the dealer is approved', async () => {
    const dealer = await shop.dealer({ state: 'onboarding' });
    expect(await done(changing(dealer, { country: 'AT', currency: 'CHF' }))).toMatchObject({
      country: 'AT',
      currency: 'CHF',
      payout: { minimumAmount: { amount: 0, currency: 'CHF' } },
      commission: { fixed: { amount: 99, currency: 'CHF' } },
    });
    await put(dealer.id, { state: 'active' });
    const problem = problemOf(await changing(dealer, { country: 'DE', currency: 'EUR' }));
    expect(problem).toMatchObject({ code: 'read_only_field', status: 422 });
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(['#/country', '#/currency']);
    await done(changing(dealer, { country: 'AT', legalName: 'Same country GmbH' }));
  });

  test('names read-only and emptied members', async () => {
    const dealer = await shop.dealer();
    const problem = problemOf(
      await changing(dealer, { state: 'CLOSED', version: 9, tradeName: null, payout: { schedule: null } }),
    );
    expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '#/state read_only_field',
      '#/version read_only_field',
      '#/tradeName validation_failed',
      '#/payout/schedule validation_failed',
    ]);
  });

  test('of an older version is refused', async () => {
    const dealer = await shop.dealer();
    await done(changing(dealer, { legalName: 'Second GmbH', expectedVersion: 1 }));
    expect(problemOf(await changing(dealer, { legalName: 'Third GmbH', expectedVersion: 1 }))).toMatchObject({
      code: 'precondition_failed',
      status: 412,
    });
  });

  test.each(['suspended', 'closing', 'closed'] as const)(
    'of a %s dealer is refused to its members',
    async (state) => {
      const dealer = await shop.dealer({ state });
      expect(problemOf(await changing(dealer, { legalName: 'X GmbH' }))).toMatchObject({
        code: 'dealer_not_active',
        status: 403,
      });
      expect((await showing(dealer.id, dealer.owner, 'tradeName')).errors).toBeUndefined();
      const byStaff = await changing(dealer, { legalName: 'X GmbH' }, await shop.staff('installation_admin'));
      if (state === 'suspended') expect(byStaff.data?.updateDealer.dealer.legalName).toBe('X GmbH');
      else expect(problemOf(byStaff)).toMatchObject({ code: 'invalid_transition' });
    },
  );

  test('by twenty at once loses none of them', async () => {
    const dealer = await shop.dealer();
    const members = ['legalName', 'description', 'website', 'contactPhone'] as const;
    const values = {
      legalName: 'At once',
      description: 'At once',
      website: 'https://x.example',
      contactPhone: '+4912345678',
    };
    await Promise.all(
      members.map(async (member) => {
        for (;;) {
          const result = await changing(dealer, { [member]: values[member] });
          if (!result.errors || problemOf(result).code !== 'concurrent_update') return;
        }
      }),
    );
    expect(await stored(dealer.id)).toMatchObject({ ...values, version: 5 });
  });
});
