import { product } from '../../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../../test/support/seed.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { UserModel } from '../../user/model.ts';
import { sendDeprecationMails } from './deprecationMails.ts';

const { market, stack } = product();
const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 10, 12);
const days = { since: '2026-11-01', until: '2027-05-31' };
const title = { name: 'Listing.title', reason: 'Use headline.', ...days };
const oldest = { name: 'Sort.OLDEST', reason: 'Use NEWEST.', ...days };
const route = { name: 'GET /api/v1/me', reason: 'Use /account.', ...days };

let dealer: SeededDealer;
let clientId: string;
beforeEach(async () => {
  stack.advance(noon - stack.platform.now());
  dealer = await market.dealer();
  clientId = await createClient('Stock system');
});
afterEach(() => stack.resetClock());

async function createClient(name: string): Promise<string> {
  const { apiClient } = await dealer.owner.createDealerApiClient({
    dealerId: dealer.id,
    name,
    scopes: ['listings:read'],
  });
  return apiClient.id;
}

const listings = (coordinates: readonly string[]) => ({
  hash: coordinates.join(),
  name: 'listings',
  coordinates: ['Query.listings', ...coordinates],
});

/** Counts one execution by the API client. */
async function use(coordinates: readonly string[], usedRoute?: string, client = clientId): Promise<void> {
  const installationId = market.installation.id;
  const operation =
    usedRoute === undefined ? listings(coordinates) : { ...listings(coordinates), name: null };
  stack.platform.usage?.count({
    installationId,
    client,
    isNamed: !client.startsWith('cli_'),
    route: usedRoute,
    operation,
    isKnown: true,
  });
  await stack.platform.usage?.flush();
}

const send = (parts: Parameters<typeof sendDeprecationMails>[1]) =>
  sendDeprecationMails(
    {
      platform: stack.platform,
      signal: new AbortController().signal,
      assertHeld: async () => undefined,
    },
    parts,
  );

/** Mails about deprecations to the owner of the dealer. */
async function mails() {
  const all = await stack.mailsTo(dealer.owner.email);
  return all.filter(({ text }) => text.includes('/docs/changelog#deprecations'));
}

test('the owner of an API client that uses a deprecated field gets one mail with its calls and the last day', async () => {
  await use(['Listing.title']);
  await use(['Listing.title', 'Listing.price']);
  await send([title]);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('API client “Stock system” uses deprecated parts of the API');
  expect(mail?.text).toContain('Listing.title (2 calls in 30 days, removed after May 31, 2027).');
  expect(mail?.text).toContain(`${market.installation.baseUrl}/docs/changelog#deprecations`);
});

test('a repeated run sends no further mail in the month, and one in the next month if the use continues', async () => {
  await use(['Listing.title']);
  await send([title]);
  await send([title]);
  expect(await mails()).toHaveLength(1);
  stack.advance(25 * dayMs);
  await send([title]);
  await send([title]);
  expect(await mails()).toHaveLength(2);
  stack.advance(31 * dayMs);
  await send([title]);
  expect(await mails()).toHaveLength(2);
});

test('a further deprecation in the same month is reported without those that were reported', async () => {
  await use(['Listing.title', 'Sort.*']);
  await send([title]);
  await send([title, oldest]);
  const [, second] = await mails();
  expect(second?.text).toContain('Sort.OLDEST (one call in 30 days');
  expect(second?.text).not.toContain('Listing.title');
});

test('the use of a deprecated route is reported with its method and path', async () => {
  await use(['Query.me'], 'GET /api/v1/me');
  await send([title, route]);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail?.text).toContain('GET /api/v1/me (one call');
});

test('each API client of a dealer gets its own mail', async () => {
  const second = await createClient('Website');
  await use(['Listing.title']);
  await use(['Listing.title'], undefined, second);
  await send([title]);
  const subjects = (await mails()).map(({ subject }) => subject);
  expect(subjects.sort()).toEqual([
    'API client “Stock system” uses deprecated parts of the API',
    'API client “Website” uses deprecated parts of the API',
  ]);
});

test.each([
  ['de', 'Der API-Client „Stock system“ verwendet veraltete Teile der API', '31. Mai 2027'],
  ['fr', 'Le client d’API « Stock system » utilise des éléments obsolètes de l’API', '31 mai 2027'],
  ['es', 'El cliente de API «Stock system» utiliza partes obsoletas de la API', '31 de mayo de 2027'],
])('an owner who reads %s gets the mail in this language', async (locale, subject, until) => {
  const users = scoped(UserModel, market.installation.id);
  await users.updateMany({ _id: dealer.owner.id }, { $set: { locale } });
  await use(['Listing.title']);
  await send([title]);
  const [mail] = await mails();
  expect([mail?.subject, mail?.text.includes(until)]).toEqual([subject, true]);
});

test('no mail is sent for other fields, for clients that are known by name only, and for a deleted API client', async () => {
  await use(['Listing.price']);
  await use(['Listing.title'], undefined, 'web');
  await send([title]);
  await use(['Listing.title']);
  await dealer.owner.deleteDealerApiClient({ dealerId: dealer.id, clientId });
  await send([title]);
  await send([]);
  expect(await mails()).toEqual([]);
});

test('the job reads the deprecations of the release, of which there may be none', async () => {
  await use(['Listing.title']);
  await stack.runJob('identity.deprecation-mails');
  expect(await mails()).toEqual([]);
});
