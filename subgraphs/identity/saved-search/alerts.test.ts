import { indexesOf } from '../../../test/support/indexesOf.ts';
import { product } from '../../../test/support/product.ts';
import type { SeededInstallation, SeededUser } from '../../../test/support/seed.ts';
import { signInAgain } from '../../../test/support/signInAgain.ts';
import { UserModel } from '../user/model.ts';
import { SavedSearchModel, SearchHitModel } from './model.ts';

const { neighbour, stack } = product();
let shop: SeededInstallation;
let user: SeededUser;

// Every test searches an installation of its own.
beforeEach(async () => {
  shop = await neighbour();
  user = await shop.user({ displayName: 'Anna' });
});

const minuteMs = 60_000;
const dayMs = 24 * 3600 * 1000;
const skoda = { attributes: [{ name: 'make', values: ['skoda'] }] };

/** Saves a search with a new session, because days may have passed since the last one. */
async function keep(members: object = {}, owner = user): Promise<string> {
  const { accessToken } = await signInAgain({ stack, market: shop }, owner);
  const input = { name: 'Skodas', query: skoda, alert: 'INSTANT', ...members };
  const { savedSearch } = await shop.caller(accessToken).createSavedSearch(input as never);
  stack.advance(1000);
  return savedSearch.id;
}
async function publish(title = 'Octavia') {
  stack.advance(1000);
  // A session of this dealer's owner is as new as the listing.
  const { owner, listing } = await shop.dealer();
  return { owner, ...(await listing({ published: true, title })) };
}
async function match() {
  await stack.runJob('identity.relay');
  await stack.runJob('identity.saved-search-matches');
}
async function mailInstant() {
  await match();
  await stack.runJob('identity.search-alerts');
}
const mailDaily = () => stack.runJob('identity.search-alerts-daily');
const mails = async () =>
  (await stack.mailsTo(user.email)).filter(({ kind }) => kind === 'savedSearchMatches');
const changeUser = ($set: object) => shop.records(UserModel).findOneAndUpdate({ _id: user.id }, { $set });
const searches = () => shop.records(SavedSearchModel);
const now = () => new Date(stack.platform.now()).toISOString();
const urlOf = (slug: string | null) => `${shop.installation.baseUrl}/listings/${slug}`;

test('an instant alert mails title and address of a new listing to the users that search for it', async () => {
  await keep();
  await keep({ query: { attributes: [{ name: 'make', values: ['volvo'] }] } }, await shop.user());
  const { slug } = await publish('Octavia of today');
  await mailInstant();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'A new listing for “Skodas”', link: urlOf(slug) });
  expect(mail?.text).toContain('Hello Anna,');
  expect(mail?.text).toContain('“Octavia of today”.');
  const hits = await shop.records(SearchHitModel).find({});
  expect(hits.map(({ userId }) => userId)).toEqual([user.id]);
});

test('an instant alert mails a listing once, for repeated events and concurrent processes', async () => {
  await keep();
  const { id: listingId, owner } = await publish();
  await match();
  await Promise.all([1, 2, 3].map(() => stack.runJob('identity.search-alerts')));
  expect(await mails()).toHaveLength(1);
  expect(await owner.pauseListing({ listingId })).not.toBeRefused();
  expect(await owner.publishListing({ listingId })).not.toBeRefused();
  stack.advance(dayMs);
  await mailInstant();
  expect(await mails()).toHaveLength(1);
});

test('an instant alert puts concurrent listings into one mail and later ones into another after 15 minutes', async () => {
  await keep();
  for (let index = 0; index < 7; index += 1) await publish(`Octavia ${index}`);
  await mailInstant();
  const [first] = await mails();
  expect(first?.subject).toBe('New listings for “Skodas”');
  expect(first?.text).toMatch(/“Octavia 6”, “Octavia 5”, .*“Octavia 2”, and 2 more\./);
  await publish('Octavia of later');
  await mailInstant();
  stack.advance(13 * minuteMs);
  await mailInstant();
  expect(await mails()).toHaveLength(1);
  stack.advance(2 * minuteMs);
  await mailInstant();
  const [, second, ...others] = await mails();
  expect(second?.text).toContain('“Octavia of later”.');
  expect(others).toEqual([]);
});

/** Publishes a listing that matches and does something before the mail is sent. */
const publishBefore = async (act: () => Promise<unknown>) => {
  await publish();
  await match();
  stack.advance(1000);
  await act();
};
const publishFor = async (change: object) => {
  await changeUser(change);
  await publish();
};
const pause = ({ owner, id: listingId }: Awaited<ReturnType<typeof publish>>) =>
  owner.pauseListing({ listingId });
const unwanted = { 'notificationPreferences.savedSearch.email': false };

test.each<[string, () => Promise<unknown>]>([
  ['a listing of the same user', () => user.listing({ published: true })],
  ['a listing published before the search', async () => undefined],
  ['a listing elsewhere', async () => (await (await neighbour()).user()).listing({ published: true })],
  ['a listing that is no longer shown', async () => pause(await publish())],
  ['a listing that was seen', () => publishBefore(() => keep({ lastSeenAt: now() }))],
  ['a search whose alert was turned off', () => publishBefore(() => keep({ alert: 'NONE' }))],
  ['a deleted search', () => publishBefore(() => searches().deleteMany({ userId: user.id }))],
  ['a user without mails about searches', () => publishFor(unwanted)],
  ['a suspended user', () => publishFor({ state: 'suspended' })],
  ['a user without a verified address', () => publishFor({ emailVerified: false })],
])('an instant alert sends no mail for %s', async (_, act) => {
  await publish('Before');
  await keep();
  await act();
  await mailInstant();
  expect(await mails()).toEqual([]);
  expect(await shop.records(SearchHitModel).count({ dueAt: { $ne: null } })).toBe(0);
});

test('a daily alert mails the listings since the last day, and nothing on days without any', async () => {
  await publish('Before');
  await keep({ alert: 'DAILY' });
  const { slug } = await publish();
  await mailDaily();
  expect(await mails()).toEqual([]);
  stack.advance(dayMs);
  await Promise.all([1, 2, 3].map(mailDaily));
  const [first, ...others] = await mails();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ text: expect.stringContaining('“Octavia”.'), link: urlOf(slug) });
  stack.advance(dayMs);
  await mailDaily();
  expect(await mails()).toHaveLength(1);
  for (let index = 0; index < 7; index += 1) await publish(`Octavia ${index}`);
  stack.advance(dayMs);
  await mailDaily();
  expect((await mails())[1]?.text).toMatch(/“Octavia 6”, .*“Octavia 2”, and 2 more\./);
});

test('a daily alert keeps its hour when it is set again, and makes up for no missed day', async () => {
  const _id = await keep({ alert: 'DAILY' });
  const due = async () => Number((await searches().findOne({ _id }))?.alertDueAt);
  const first = await due();
  stack.advance(dayMs / 2);
  await keep({ alert: 'DAILY' });
  expect(await due()).toBe(first);
  stack.advance(3 * dayMs);
  await mailDaily();
  expect(await due()).toBe(first + 3 * dayMs);
});

test('a daily alert sends no mail for seen listings, to users without mails, or once it is off', async () => {
  await keep({ alert: 'DAILY' });
  await publish('Seen before');
  stack.advance(1000);
  await keep({ lastSeenAt: now() });
  stack.advance(dayMs);
  await mailDaily();
  await publish('Unwanted');
  await changeUser({ 'notificationPreferences.savedSearch.email': false });
  stack.advance(dayMs);
  await mailDaily();
  await changeUser({ 'notificationPreferences.savedSearch.email': true });
  await keep({ alert: 'NONE' });
  stack.advance(dayMs);
  await mailDaily();
  expect(await mails()).toEqual([]);
});

test('the jobs of both alerts find due searches through indexes', async () => {
  await keep();
  await publish();
  await match();
  const plans = await indexesOf(async () => {
    await stack.runJob('identity.search-alerts');
    await mailDaily();
  });
  const own = plans.filter(({ command }) => /search/.test(command));
  expect(own.length).toBeGreaterThan(2);
  for (const { command, indexes } of own) expect([command, indexes.length > 0]).toEqual([command, true]);
});
