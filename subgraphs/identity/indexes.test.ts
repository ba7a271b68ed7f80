import { storePayment } from '../../test/authorization/world/storePayment.ts';
import { readsWithoutIndex } from '../../test/contract/reads/indexFor.ts';
import { perFile, product } from '../../test/support/product.ts';
import type { SeededUser } from '../../test/support/seed.ts';
import { indexesOf } from '../../test/support/stack/indexesOf.ts';
import { newId } from '../platform/ids/newId.ts';

const { market, stack } = product();
let owner: SeededUser;

const staff = perFile(() => market.staff('support', 'moderator', 'installation_admin'));
const garage = perFile(() => market.dealer());
beforeAll(async () => {
  ({ owner } = garage);
  for (let index = 0; index < 5; index += 1) await garage.listing({ published: true });
  for (let index = 0; index < 3; index += 1) await market.dealer();
});

const plansOf = (read: () => Promise<unknown>) =>
  indexesOf(async () => expect(await read()).not.toBeRefused());
const unindexed = (plans: Awaited<ReturnType<typeof plansOf>>) =>
  plans.filter(({ indexes }) => indexes.length === 0).map(({ command }) => command);
const nodes = 'nodes { id }';
const ofGarage = () => ({ dealerId: garage.id });
const guest = { email: 'guest@example.test', role: 'AGENT' } as const;
const file = { filename: 'a.jpg', contentType: 'image/jpeg', purpose: 'LISTING' } as const;
const sha256 = '0'.repeat(64);
const paymentId = newId('payment');

async function archiveSold(): Promise<unknown> {
  const { id: listingId } = await garage.listing({ published: true });
  expect(await owner.markListingSold({ listingId })).not.toBeRefused();
  return owner.archiveListing({ listingId });
}

/*
 * Reads with a filter, and of single records. `test/contract/readCosts*.test.ts` has every list without a filter. A row
 * states the commands and the members of the index. With so few records the planner may prefer a shorter index that
 * begins with the same members, so only the decisive part is stated.
 */
test.each<[string, () => Promise<unknown>, string]>([
  ['listings in a state', () => owner.listings({ state: ['ACTIVE'] }, nodes), ' listings: owner.id'],
  [
    'listings by last change',
    () => owner.listings({ sort: 'UPDATED_AT_DESC' }, nodes),
    ' listings: owner.id',
  ],
  ['listings by words', () => owner.listings({ q: 'skoda' }, nodes), ' listings: owner.id'],
  ['listings by stock number', () => owner.listings({ stockNumber: 'A1' }, nodes), ' listings: owner.id'],
  ['a slug', () => owner.catalogListing({ listingId: 'skoda' }, 'id'), 'catalog_listings: slug'],
  ['users by role', () => staff.adminUsers({ role: 'FINANCE' }, nodes), 'find users: roles'],
  ['users in a state', () => staff.adminUsers({ state: ['SUSPENDED'] }, nodes), 'find users: state'],
  ['users by a prefix', () => staff.adminUsers({ q: 'anna' }, nodes), 'find users: nameKey'],
  ['flagged listings', () => staff.adminListings({ flag: ['REPORTED'] }, nodes), ' listings: queuedAt'],
  ['all listings in a state', () => staff.adminListings({ state: ['ACTIVE'] }, nodes), ' listings: state'],
  ['listings of an owner', () => staff.adminListings({ ownerId: 'usr_1' }, nodes), ' listings: owner.id'],
  ['reports of a target', () => staff.adminReports({ targetId: 'usr_1' }, nodes), 'reports: target.id|state'],
  ['reports of an owner', () => staff.adminReports({ ownerId: 'usr_1' }, nodes), 'reports: ownerId|state'],
  ['the count of open reports', () => staff.me({}, 'counts { openReports }'), 'reports: state'],
  ['events of an actor', () => staff.auditEvents({ actor: 'usr_1' }, nodes), 'audit_events: actor.id'],
  ['events of a target', () => staff.auditEvents({ target: 'usr_1' }, nodes), 'audit_events: target.id'],
  ['events of an action', () => staff.auditEvents({ action: 'roles' }, nodes), 'audit_events: action'],
  ['events with a result', () => staff.auditEvents({ result: 'DENIED' }, nodes), 'audit_events: result'],
  [
    'dealers in a state',
    () => staff.adminDealers({ state: ['ACTIVE'] }, nodes),
    'find dealers: state.*queuedAt',
  ],
  [
    'dealers with a submitted verification',
    () => staff.adminDealers({ verificationState: ['SUBMITTED'] }, nodes),
    'find dealers: verification.state.*queuedAt',
  ],
  [
    'dealers of a country',
    () => staff.adminDealers({ country: 'DE' }, nodes),
    'find dealers: country.*queuedAt',
  ],
  [
    'an invited address',
    () => owner.inviteDealerMember({ ...ofGarage(), ...guest }),
    'invitations: dealerId',
  ],
  ['a balance', () => owner.dealerBalance(ofGarage(), 'dealerId'), 'ledger_: dealerId'],
  ['fees', () => owner.dealerLedgerEntries({ ...ofGarage(), kind: ['FEE'] }, nodes), 'ledger_: dealerId.*at'],
  [
    'entries of a payment',
    () => owner.dealerLedgerEntries({ ...ofGarage(), paymentId }, nodes),
    'ledger_: paymentId|dealerId',
  ],
  ['payments of a sold listing', archiveSold, 'payments: listingId'],
  ['files in a state', () => owner.mediaLibrary({ state: ['FAILED'] }, nodes), 'find media: owner.id'],
  ['unused files', () => owner.mediaLibrary({ unused: true }, nodes), 'find media: owner.id'],
  ['files of a dealer', () => owner.mediaLibrary(ofGarage(), nodes), 'find media: owner.id'],
  ['a file with known bytes', () => owner.createMedia({ ...file, sha256 }), 'find media: sha256'],
])('an operation reads %s through an index', async (_, read, expected) => {
  const [command = '', index = ''] = expected.split(': ');
  const plans = (await plansOf(read)).filter((plan) => plan.command.includes(command));
  // The memberships and files of the caller are read by indexes of their own.
  const reads = plans.filter(({ indexes }) => !/members|^_id/.test(String(indexes)));
  expect(reads.length).toBeGreaterThan(0);
  for (const { indexes } of reads) expect(indexes).toContainEqual(expect.stringMatching(index));
});

const appeal = (type: 'DECISION' | 'LISTING', id: string) =>
  owner.createReport({ reason: 'APPEAL', target: { type, id } });
const factorId = newId('mfaFactor');

/** Reads of single records by operations that are refused in the end. */
test.each<[string, () => Promise<unknown>, string, RegExp]>([
  ['the decision of an appeal', () => appeal('DECISION', newId('decision')), 'listings', /moderation\.id/],
  ['the listing of a report', () => appeal('LISTING', newId('listing')), 'listings', /_id/],
  ['an invitation', () => owner.acceptDealerInvitation({ token: 'x' }), 'dealer_invitations', /tokenHash/],
  ['a second factor', () => owner.verifyMfaFactor({ factorId, otp: '000000' }), 'users', /factors\.id/],
])('a refused operation reads %s through an index', async (_, read, collection, index) => {
  const [plan] = (await indexesOf(read)).filter(({ command }) => command === `find ${collection}`);
  expect(plan?.indexes).toContainEqual(expect.stringMatching(index));
});

test('an inbox with any filter is read in the order of an index', async () => {
  const { id: listingId } = await garage.listing({ published: true });
  for (const filter of [{}, { assignee: 'none' }, { unread: true }, { listingId }])
    expect(await readsWithoutIndex(() => owner.conversations({ ...ofGarage(), ...filter }, nodes))).toEqual(
      [],
    );
});

// The catalogue is filtered in memory. The database finds changed listings, words, and the page.
const everyFilter = () => ({
  categoryId: market.categories.cars ?? null,
  dealerId: [garage.id],
  sortByAttribute: { name: 'mileageKm', direction: 'DESC' as const },
  near: { lat: 52.5, lng: 13.4 },
  attributes: [{ name: 'make', values: ['skoda'] }],
  count: true,
});
test.each<[string, () => Promise<unknown>]>([
  ['every filter', () => owner.catalogListings(everyFilter(), nodes)],
  ['facets', () => owner.catalogFacets({ facets: ['make', 'price'] }, 'total')],
  ['words', () => owner.catalogListings({ q: 'skoda', count: true }, `${nodes} totalCount`)],
  ['words by price', () => owner.catalogListings({ q: 'skoda', sort: 'PRICE_ASC' }, nodes)],
  ['facets of words', () => owner.catalogFacets({ facets: ['make'], q: 'octavia' }, 'total')],
])('a search of the catalogue with %s sends only reads through an index', async (_, read) => {
  const plans = await plansOf(read);
  expect(unindexed(plans)).toEqual([]);
  const used = plans.flatMap(({ indexes }) => indexes);
  expect(used).toContainEqual(expect.stringContaining('changedAt'));
});

test('the public page of a dealer is read through indexes', async () => {
  const { slug: dealerId } = garage;
  const plans = await plansOf(() => owner.catalogDealer({ dealerId }, 'id activeListings'));
  const indexes = (wanted: string) => plans.find(({ command }) => command === wanted)?.indexes;
  expect(indexes('find dealers')).toContainEqual(expect.stringMatching(/slugs/));
  expect(indexes('aggregate catalog_listings')).toContainEqual(expect.stringMatching(/seller\.id/));
});

test('the principal of a caller is read through indexes', async () => {
  stack.platform.forgetPrincipal({ userId: owner.id });
  const plans = await plansOf(() => owner.me({}, 'id'));
  const commands = plans.map(({ command }) => command).sort();
  expect(commands).toEqual(['aggregate sessions', 'aggregate users', 'find dealers']);
  const dealers = plans.find(({ command }) => command === 'find dealers');
  expect(dealers?.indexes).toContainEqual(expect.stringMatching(/members\.userId/));
});

test.each([
  ['dealer-closings', /dealers/, /state/],
  ['dealer-verification-expiry', /dealers/, /approval\.expiresAt/],
  ['listing-reservations', /listings/, /reservation\.until/],
  ['listing-expiry', /listings/, /state.*expiresAt/],
  ['listing-expiry-notices', /listings/, /expiryNotice/],
  ['listing-files', /listings/, /releaseFilesAt/],
  ['catalog-owners', /owners/, /unsettled/],
  ['report-retention', /reports/, /resolvedAt/],
  ['ledger-releases', /ledger_maturities/, /dueAt/],
  ['payouts', / payouts/, /dueAt/],
  ['scheduled-payouts', /dealers/, /payout\.schedule\.interval|^_id|state/],
  ['refunds', /refunds/, /dueAt/],
  ['disputes', /disputes/, /dueAt/],
  ['chargebacks', /chargebacks/, /dueAt/],
])('the job %s finds its records through an index', async (name, collection, index) => {
  const plans = await indexesOf(() => stack.runJob(`identity.${name}`));
  const reads = plans.filter(({ command }) => collection.test(command));
  expect(reads.length).toBeGreaterThan(0);
  for (const { indexes } of reads) expect(indexes).toContainEqual(expect.stringMatching(index));
});

test('consents, a deletion and an export with all of its parts are read through indexes', async () => {
  const user = await market.user();
  await user.listing();
  await storePayment(market.installation.id, user.id, newId('dealer'), { state: 'succeeded' });
  const plans = await indexesOf(async () => {
    const consent = { purpose: 'terms', version: '1', granted: true };
    expect(await user.putMyConsent(consent)).not.toBeRefused();
    expect(await user.requestMyDataExport({})).not.toBeRefused();
    await stack.runJob('identity.data-exports');
    expect(await user.requestAccountDeletion({})).not.toBeRefused();
    await stack.runJob('identity.account-deletions');
  });
  const collections = new Set(plans.map(({ command }) => command.split(' ')[1]));
  const account = 'audit_events consents data_exports dealers disputes favorites listings mails notices';
  const others = 'payments refunds reports saved_searches sessions';
  for (const name of `${account} ${others}`.split(' ')) expect(collections).toContain(name);
  expect(unindexed(plans)).toEqual([]);
});
