import { storePayment } from '../../test/authorization/storePayment.ts';
import { indexesOf } from '../../test/support/indexesOf.ts';
import { product } from '../../test/support/product.ts';
import { type SeededDealer } from '../../test/support/seed.ts';
import { newId } from '../platform/ids/newId.ts';
import { catalogOwnersJob } from './catalog/settleOwner.ts';
import { dealerClosingsJob } from './dealer/dealerClosings.ts';
import { dealerVerificationExpiryJob } from './dealer-verification/dealerVerificationExpiry.ts';
import { disputesJob } from './dispute/disputesJob.ts';
import { ledgerRecovery } from './ledger/ledgerRecovery.ts';
import { releaseEarnings } from './ledger/releaseEarnings.ts';
import { endReservations } from './listing/endReservations.ts';
import { expireListings } from './listing/expireListings.ts';
import { noticeExpiry } from './listing/noticeExpiry.ts';
import { releaseFiles } from './listing/releaseFiles.ts';
import { countViews } from './listing-stats/countViews.ts';
import { payoutsJob } from './payout/payoutsJob.ts';
import { scheduledPayouts } from './payout/scheduledPayouts.ts';
import { refundsJob } from './refund/refundsJob.ts';
import { reportRetention } from './report/reportRetention.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;

beforeAll(async () => {
  garage = await market.dealer();
  for (let index = 0; index < 5; index += 1) await garage.listing({ published: true });
});

const run = (source: string) =>
  world.stack.execute(source, {}, { as: garage.owner, installation: market.installation });
const nodes = '{ nodes { id } pageInfo { endCursor } }';

// Names begin with the members of the index. With this little data the planner may prefer a shorter index that begins
// alike, so only the part that decides is stated.
test.each([
  ['one’s own stock', () => `{ listings ${nodes} }`, /owner\.id/],
  ['one’s own stock in a state', () => `{ listings(state: [ACTIVE]) ${nodes} }`, /owner\.id/],
  ['one’s own stock by what changed last', () => `{ listings(sort: "-updatedAt") ${nodes} }`, /owner\.id/],
  ['one’s own stock by words', () => `{ listings(q: "skoda") ${nodes} }`, /owner\.id/],
  ['one’s own stock by number', () => `{ listings(stockNumber: "A1") ${nodes} }`, /owner\.id/],
  ['an address', () => '{ catalogListing(listingId: "skoda") { id } }', /slug/],
])('%s: read through an index', async (_, source, index) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  const read = plans.filter(({ command }) => command.endsWith('listings'));
  expect(read.length).toBeGreaterThan(0);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

// Members of a query are decided in memory: the database tells what changed, finds words, and reads the page.
test.each([
  ['the catalogue', () => `{ catalogListings ${nodes} }`, []],
  [
    'everything but words',
    () => `{ catalogListings(categoryId: "${market.categories.cars}", dealerId: "${garage.id}", sort: "-mileageKm",
      near: [52.5, 13.4], attributes: [{name: "make", values: ["skoda"]}], count: true) ${nodes} }`,
    [],
  ],
  ['facets', () => '{ catalogFacets(facets: ["make", "price"]) { total } }', []],
  ['words', () => '{ catalogListings(q: "skoda", count: true) { nodes { id } totalCount } }', []],
  ['words by price', () => '{ catalogListings(q: "skoda", sort: "price") { nodes { id } } }', []],
  ['facets of words', () => '{ catalogFacets(facets: ["make"], q: "octavia") { total } }', []],
])('%s: every command is answered through indexes', async (_, source, further) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  for (const { indexes } of plans) expect(indexes).not.toEqual([]);
  const used = plans.flatMap(({ indexes }) => indexes);
  for (const name of ['changedAt', ...further]) expect(used).toContainEqual(expect.stringContaining(name));
});

test('a dealer’s public page: read through indexes', async () => {
  const source = `{ catalogDealer(dealerId: "${garage.slug}") { id activeListings } }`;
  const plans = await indexesOf(async () => expect((await run(source)).errors).toBeUndefined());
  const [dealers, listings] = ['find dealers', 'aggregate catalog_listings'].map((command) =>
    plans.find((plan) => plan.command === command),
  );
  expect(dealers?.indexes).toContainEqual(expect.stringMatching(/slugs/));
  expect(listings?.indexes).toContainEqual(expect.stringMatching(/seller\.id/));
});

test('the caller: read through indexes', async () => {
  world.stack.platform.forgetPrincipal({ userId: garage.owner.id });
  const plans = await indexesOf(() => run('{ me { id } }'));
  expect(plans.map(({ command }) => command).sort()).toEqual([
    'aggregate sessions',
    'aggregate users',
    'find dealers',
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
  const support = await market.staff('support');
  const plans = await indexesOf(async () => {
    const call = { as: support, installation: market.installation };
    expect((await world.stack.execute(source(), {}, call)).errors).toBeUndefined();
  });
  const read = plans.filter(({ command }) => command === 'find users');
  expect(read).toHaveLength(1);
  expect(read[0]?.indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['the queue of listings', '{ adminListings { nodes { id } } }', /queuedAt/],
  ['the queue by flag', '{ adminListings(flag: [REPORTED]) { nodes { id } } }', /queuedAt/],
  ['listings in a state', '{ adminListings(state: [ACTIVE]) { nodes { id } } }', /state/],
  ['listings of an owner', '{ adminListings(ownerId: "usr_1") { nodes { id } } }', /owner\.id/],
  ['open reports', '{ adminReports { nodes { id } } }', /state/],
  ['reports about something', '{ adminReports(targetId: "usr_1") { nodes { id } } }', /target\.id|state/],
  ['reports about somebody', '{ adminReports(ownerId: "usr_1") { nodes { id } } }', /ownerId|state/],
  ['one’s own reports', '{ myReports { nodes { id } } }', /reporterId/],
  ['the number of open reports', '{ me { counts { openReports } } }', /state/],
])('%s: read through an index', async (_, source, index) => {
  const moderator = await market.staff('moderator');
  const plans = await indexesOf(async () => {
    const call = { as: moderator, installation: market.installation };
    expect((await world.stack.execute(source, {}, call)).errors).toBeUndefined();
  });
  const read = plans.filter(({ command }) => /listings|reports/.test(command));
  expect(read).toHaveLength(1);
  expect(read[0]?.indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['an appeal', (id: string) => ({ type: 'DECISION', id }), newId('decision'), /moderation\.id/],
  ['a report of a listing', (id: string) => ({ type: 'LISTING', id }), newId('listing'), /_id/],
])('the target of %s: read through an index', async (_, toTarget, id, index) => {
  const source = 'mutation ($input: CreateReportInput!) { createReport(input: $input) { report { id } } }';
  const input = { target: toTarget(id), reason: 'APPEAL' };
  const call = { as: garage.owner, installation: market.installation };
  const plans = await indexesOf(() => world.stack.execute(source, { input }, call));
  const [read] = plans.filter(({ command }) => command === 'find listings');
  expect(read?.indexes).toContainEqual(expect.stringMatching(index));
});

test.each([
  ['audit events, the newest first', () => '{ auditEvents { nodes { id } } }', /^installationId.*at/],
  ['audit events of an actor', () => '{ auditEvents(actor: "usr_1") { nodes { id } } }', /actor\.id/],
  ['audit events of a target', () => '{ auditEvents(target: "usr_1") { nodes { id } } }', /target\.id/],
  ['audit events of an action', () => '{ auditEvents(action: "roles") { nodes { id } } }', /action/],
  ['audit events of a kind', () => '{ auditEvents(result: DENIED) { nodes { id } } }', /result/],
])('%s: read through an index', async (_, source, index) => {
  const administrator = await market.staff('installation_admin');
  const plans = await indexesOf(async () => {
    const call = { as: administrator, installation: market.installation };
    expect((await world.stack.execute(source(), {}, call)).errors).toBeUndefined();
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
  for (let count = 0; count < 3; count += 1) await market.dealer();
  const support = await market.staff('support');
  const plans = await indexesOf(async () => {
    const result = await world.stack.execute(
      `{ adminDealers${args} ${nodes} }`,
      {},
      { as: support, installation: market.installation },
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

test.each([
  ['balance', () => `{ dealerBalance(dealerId: "${garage.id}") { dealerId } }`, /dealerId/],
  ['entries', () => `{ dealerLedgerEntries(dealerId: "${garage.id}") ${nodes} }`, /dealerId.*at/],
  [
    'entries of a kind',
    () => `{ dealerLedgerEntries(dealerId: "${garage.id}", kind: [FEE]) ${nodes} }`,
    /dealerId.*at/,
  ],
  [
    'entries of a payment',
    () => `{ dealerLedgerEntries(dealerId: "${garage.id}", paymentId: "${newId('payment')}") ${nodes} }`,
    /paymentId|dealerId/,
  ],
  ['payouts', () => `{ dealerPayouts(dealerId: "${garage.id}") ${nodes} }`, /dealerId.*createdAt/],
])('a dealer’s %s: read through an index, in one command', async (_, source, index) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  const read = plans.filter(({ command }) => /ledger_| payouts/.test(command));
  expect(read).toHaveLength(1);
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
  ['reservations that are over', endReservations, /listings/, /reservation\.until/],
  ['listings that are over', expireListings, /listings/, /state.*expiresAt/],
  ['listings whose owners are to be told', noticeExpiry, /listings/, /expiryNotice/],
  ['listings whose files are released', releaseFiles, /listings/, /releaseFilesAt/],
  ['views that are not counted yet', countViews, /listing_view_batches/, /installationId/],
  ['owners whose listings are not yet withdrawn', catalogOwnersJob, /owners/, /unsettled/],
  ['reports that were resolved long ago', reportRetention, /reports/, /resolvedAt/],
  ['transactions that were cut short', ledgerRecovery, /ledger_balances/, /operations\.at/],
  ['earnings whose time has come', releaseEarnings, /ledger_maturities/, /dueAt/],
  ['payouts that are due', payoutsJob, / payouts/, /dueAt/],
  [
    'dealers whose day it is to be paid',
    scheduledPayouts,
    /dealers/,
    /payout\.schedule\.interval|^_id|state/,
  ],
  ['refunds that are due', refundsJob, /refunds/, /dueAt/],
  ['disputes that are due', disputesJob, /disputes/, /dueAt/],
])('%s: found through an index', async (_, job, collection, index) => {
  const plans = await indexesOf(() => world.stack.runJob(job.name));
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
  const user = await market.user();
  await user.listing();
  await storePayment(market.installation.id, user.id, newId('dealer'), { state: 'succeeded' });
  const ask = async (source: string, input: object) => {
    const result = await world.stack.execute(
      source,
      { input },
      { as: user, installation: market.installation },
    );
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
    await world.stack.runJob('identity.data-exports');
    await ask(
      'mutation ($input: RequestAccountDeletionInput!) { requestAccountDeletion(input: $input) { deletion { effectiveAt } } }',
      {},
    );
    await world.stack.runJob('identity.account-deletions');
  });
  const exported = [
    'audit_events',
    'consents',
    'data_exports',
    'dealers',
    'disputes',
    'favorites',
    'listings',
    'mails',
    'notices',
    'payments',
    'refunds',
    'reports',
    'saved_searches',
    'sessions',
  ];
  const read = new Set(plans.map(({ command }) => command.split(' ')[1]));
  for (const collection of exported) expect(read).toContain(collection);
  expect(plans.filter(({ indexes }) => indexes.length === 0).map(({ command }) => command)).toEqual([]);
});

test.each([
  ['files', () => `{ mediaLibrary ${nodes} }`, /owner\.id/],
  ['files in a state', () => `{ mediaLibrary(state: [FAILED]) ${nodes} }`, /owner\.id/],
  ['unused files', () => `{ mediaLibrary(unused: true) ${nodes} }`, /owner\.id/],
  ['a dealer’s files', () => `{ mediaLibrary(dealerId: "${garage.id}") ${nodes} }`, /owner\.id/],
  [
    'a file with known bytes',
    () => `mutation { createMedia(input: { filename: "a.jpg", contentType: "image/jpeg", purpose: LISTING,
      sha256: "${'0'.repeat(64)}" }) { media { id } } }`,
    /sha256/,
  ],
])('%s: read through an index', async (_, source, index) => {
  const plans = await indexesOf(async () => expect((await run(source())).errors).toBeUndefined());
  const read = plans.filter(
    ({ command, indexes }) => command === 'find media' && !String(indexes).startsWith('_id'),
  );
  expect(read.length).toBeGreaterThan(0);
  for (const { indexes } of read) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test('what jobs of files look for: read through indexes', async () => {
  const plans = await indexesOf(async () => {
    for (const name of ['upkeep', 'processing', 'purge']) await world.stack.runJob(`identity.media-${name}`);
  });
  expect(plans.filter(({ indexes }) => indexes.length === 0).map(({ command }) => command)).toEqual([]);
});
