import { indexesOf } from '../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../test/support/openTestStack.ts';
import { type SeededDealer, type SeededInstallation, seed } from '../../test/support/seed.ts';
import { newId } from '../platform/ids/newId.ts';
import { catalogOwnersJob } from './catalog/settleOwner.ts';
import { dealerClosingsJob } from './dealer/dealerClosings.ts';
import { dealerVerificationExpiryJob } from './dealer-verification/dealerVerificationExpiry.ts';
import { buildIdentity } from './server.ts';

let stack: TestStack;
let shop: SeededInstallation;
let garage: SeededDealer;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation();
  garage = await shop.dealer();
  for (let index = 0; index < 5; index += 1) await garage.listing({ published: true });
});
afterAll(() => stack.close());

const run = (source: string) =>
  stack.execute(source, {}, { as: garage.owner, installation: shop.installation });
const nodes = '{ nodes { id } pageInfo { endCursor } }';

// Names begin with the members of the index. With this little data the planner may prefer a shorter index that begins
// alike, so only the part that decides is stated.
test.each([
  ['one’s own stock', () => `{ listings ${nodes} }`, /owner\.id/],
  ['one’s own stock in a state', () => `{ listings(state: [ACTIVE]) ${nodes} }`, /owner\.id/],
  ['one’s own stock by what changed last', () => `{ listings(sort: "-updatedAt") ${nodes} }`, /owner\.id/],
  ['one’s own stock by words', () => `{ listings(q: "skoda") ${nodes} }`, /owner\.id/],
  ['one’s own stock by number', () => `{ listings(stockNumber: "A1") ${nodes} }`, /owner\.id/],
  ['the catalogue', () => `{ catalogListings ${nodes} }`, /^installationId/],
  ['the catalogue by price', () => `{ catalogListings(sort: "price") ${nodes} }`, /^installationId/],
  ['a category', () => `{ catalogListings(categoryId: "${shop.categories.cars}") ${nodes} }`, /categoryIds/],
  [
    'a category by price',
    () => `{ catalogListings(categoryId: "${shop.categories.cars}", sort: "-price") ${nodes} }`,
    /categoryIds/,
  ],
  ['a dealer’s listings', () => `{ catalogListings(dealerId: "${garage.id}") ${nodes} }`, /seller\.id/],
  [
    'listings by attribute',
    () => `{ catalogListings(attributes: [{name: "make", values: ["skoda"]}]) ${nodes} }`,
    /attributeTokens/,
  ],
  ['words', () => '{ catalogListings(q: "skoda") { nodes { id } } }', /^search$/],
  ['words by price', () => '{ catalogListings(q: "skoda", sort: "price") { nodes { id } } }', /^search$/],
  ['a count of words', () => '{ catalogListings(q: "skoda", count: true) { totalCount } }', /^search$/],
  ['an address', () => '{ catalogListing(listingId: "skoda") { id } }', /slug/],
])('%s: read through an index', async (_, source, index) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  const read = plans.filter(({ command }) => command.endsWith('listings'));
  expect(read.length).toBeGreaterThan(0);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test('the caller: read through indexes', async () => {
  stack.platform.forgetPrincipal({ userId: garage.owner.id });
  const plans = await indexesOf(() => run('{ me { id } }'));
  expect(plans.map(({ command }) => command).sort()).toEqual([
    'aggregate sessions',
    'find dealers',
    'find users',
  ]);
  const dealers = plans.find(({ command }) => command === 'find dealers');
  expect(dealers?.indexes).toContainEqual(expect.stringMatching(/members\.userId/));
});

test.each([
  ['users, the newest first', () => '{ adminUsers { nodes { id } } }', /^installationId/],
  ['users by role', () => '{ adminUsers(role: FINANCE) { nodes { id } } }', /roles/],
  ['users in a state', () => '{ adminUsers(state: [SUSPENDED]) { nodes { id } } }', /state/],
  ['users by the beginning of a text', () => '{ adminUsers(q: "anna") { nodes { id } } }', /nameKey/],
])('%s: read through an index', async (_, source, index) => {
  const support = await shop.staff('support');
  const plans = await indexesOf(async () => {
    const call = { as: support, installation: shop.installation };
    expect((await stack.execute(source(), {}, call)).errors).toBeUndefined();
  });
  const read = plans.filter(({ command }) => command === 'find users');
  expect(read).toHaveLength(1);
  expect(read[0]?.indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['audit events, the newest first', () => '{ auditEvents { nodes { id } } }', /^installationId.*at/],
  ['audit events of an actor', () => '{ auditEvents(actor: "usr_1") { nodes { id } } }', /actor\.id/],
  ['audit events of a target', () => '{ auditEvents(target: "usr_1") { nodes { id } } }', /target\.id/],
  ['audit events of an action', () => '{ auditEvents(action: "roles") { nodes { id } } }', /action/],
  ['audit events of a kind', () => '{ auditEvents(result: DENIED) { nodes { id } } }', /result/],
])('%s: read through an index', async (_, source, index) => {
  const administrator = await shop.staff('installation_admin');
  const plans = await indexesOf(async () => {
    const call = { as: administrator, installation: shop.installation };
    expect((await stack.execute(source(), {}, call)).errors).toBeUndefined();
  });
  const read = plans.filter(({ command }) => command === 'find audit_events');
  expect(read).toHaveLength(1);
  expect(read[0]?.indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['the queue', '', /^installationId/],
  ['dealers in a state', '(state: [ACTIVE])', /state.*queuedAt/],
  ['submitted verifications', '(verificationState: [SUBMITTED])', /verification\.state.*queuedAt/],
  ['dealers of a country', '(country: "DE")', /country.*queuedAt/],
])('%s: read through an index', async (_, args, index) => {
  for (let count = 0; count < 3; count += 1) await shop.dealer();
  const support = await shop.staff('support');
  const plans = await indexesOf(async () => {
    const result = await stack.execute(
      `{ adminDealers${args} ${nodes} }`,
      {},
      { as: support, installation: shop.installation },
    );
    expect(result.errors).toBeUndefined();
  });
  const read = plans.filter(
    ({ command, indexes }) => command === 'find dealers' && !/members/.test(String(indexes)),
  );
  expect(read).toHaveLength(1);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['a dealer’s API clients', () => `{ dealerApiClients(dealerId: "${garage.id}") ${nodes} }`, /dealerId/],
  [
    'a dealer’s open invitations',
    () => `{ dealerMembers(dealerId: "${garage.id}", include: [INVITATIONS]) { invitations { id } } }`,
    /dealerId.*state/,
  ],
  [
    'an invitation to an address',
    () => `mutation { inviteDealerMember(input: {
      dealerId: "${garage.id}", email: "guest@example.test", role: AGENT }) { created } }`,
    /dealerId/,
  ],
])('%s: read through an index', async (_, source, index) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  const read = plans.filter(({ command }) => /api_clients|dealer_invitations/.test(command));
  expect(read.length).toBeGreaterThan(0);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test('an invitation by its token: read through an index', async () => {
  const source =
    'mutation { acceptDealerInvitation(input: { token: "never sent" }) { membership { name } } }';
  const plans = await indexesOf(() => run(source));
  const [read] = plans.filter(({ command }) => command === 'find dealer_invitations');
  expect(read?.indexes).toContainEqual(expect.stringMatching(/tokenHash/));
});

test.each([
  ['dealers that are being closed', dealerClosingsJob, /dealers/, /state/],
  ['approvals that are over', dealerVerificationExpiryJob, /dealers/, /approval\.expiresAt/],
  ['owners whose listings are not yet withdrawn', catalogOwnersJob, /owners/, /unsettled/],
])('%s: found through an index', async (_, job, collection, index) => {
  const plans = await indexesOf(() => stack.runJob(job.name));
  const read = plans.filter(({ command }) => collection.test(command));
  expect(read.length).toBeGreaterThan(0);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test('whose a second factor is: read through an index', async () => {
  const factorId = newId('mfaFactor');
  const verify = `mutation { verifyMfaFactor(input: { factorId: "${factorId}", otp: "000000" }) { factor { id } } }`;
  const plans = await indexesOf(() => run(verify));
  const users = plans.filter(({ command }) => command === 'find users');
  expect(users).toHaveLength(1);
  expect(users[0]?.indexes).toContainEqual(expect.stringMatching(/factors\.id/));
});

test('leaving, consents and exports with all that goes into them: read through indexes', async () => {
  const user = await shop.user();
  await user.listing();
  const ask = async (source: string, input: object) => {
    const result = await stack.execute(source, { input }, { as: user, installation: shop.installation });
    expect(result.errors).toBeUndefined();
  };
  const plans = await indexesOf(async () => {
    await ask('mutation ($input: PutMyConsentInput!) { putMyConsent(input: $input) { consent { at } } }', {
      purpose: 'terms',
      version: '1',
      granted: true,
    });
    await ask(
      'mutation ($input: RequestMyDataExportInput!) { requestMyDataExport(input: $input) { dataExport { id } } }',
      {},
    );
    await stack.runJob('identity.data-exports');
    await ask(
      'mutation ($input: RequestAccountDeletionInput!) { requestAccountDeletion(input: $input) { deletion { effectiveAt } } }',
      {},
    );
    await stack.runJob('identity.account-deletions');
  });
  const exported = [
    'audit_events',
    'consents',
    'data_exports',
    'dealers',
    'favorites',
    'listings',
    'mails',
    'saved_searches',
    'sessions',
  ];
  const read = new Set(plans.map(({ command }) => command.split(' ')[1]));
  for (const collection of exported) expect(read).toContain(collection);
  expect(plans.filter(({ indexes }) => indexes.length === 0).map(({ command }) => command)).toEqual([]);
});
