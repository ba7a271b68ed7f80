import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import { UserModel } from '../../people/user/model.ts';
import { CatalogListingModel } from '../catalog/public-listing/model.ts';
import { SavedSearchModel } from './model.ts';

const { neighbour, stack } = product();

// Every test searches an installation of its own.
const shop = perTest(() => neighbour());
const user = perTest(() => shop.user({ displayName: 'Anna' }));

afterEach(() => interceptWrites(null));

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
/** Matches the published listings. Listings are held back for ten seconds. */
async function match(heldMs = 10_000) {
  stack.advance(heldMs);
  await stack.runJob('identity.relay');
  await stack.runJob('identity.saved-search-matches');
}
async function mailInstant() {
  await match();
  await mailDue();
}
const mailDue = () => stack.runJob('identity.search-alerts');
const mails = async () =>
  (await stack.mailsTo(user.email)).filter(({ kind }) => kind === 'savedSearchMatches');
const changeUser = ($set: object) => shop.records(UserModel).findOneAndUpdate({ _id: user.id }, { $set });
const searches = () => shop.records(SavedSearchModel);
const now = () => new Date(stack.platform.now()).toISOString();
const urlOf = (slug: string | null) => `${shop.installation.baseUrl}/listings/${slug}`;

test('an instant alert mails title and address of a new listing to the users whose search matches', async () => {
  await keep();
  await keep({ query: { attributes: [{ name: 'make', values: ['volvo'] }] } }, await shop.user());
  const { slug } = await publish('Octavia of today');
  await mailInstant();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'A new listing for “Skodas”', link: urlOf(slug) });
  expect(mail?.text).toContain('Hello Anna,');
  expect(mail?.text).toContain('“Octavia of today”.');
});

test('an instant alert mails a listing once despite repeated events and concurrent processes', async () => {
  await keep();
  const { id: listingId, owner } = await publish();
  await match();
  await Promise.all([1, 2, 3].map(mailDue));
  expect(await mails()).toHaveLength(1);
  expect(await owner.pauseListing({ listingId })).not.toBeRefused();
  expect(await owner.publishListing({ listingId })).not.toBeRefused();
  stack.advance(dayMs);
  await mailInstant();
  expect(await mails()).toHaveLength(1);
});

test('an instant alert sends concurrent listings in one mail, and later ones in another after 15 minutes', async () => {
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

/** Publishes a listing that matches, and calls `act` before the mail is sent. */
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
  [
    'a listing of another installation',
    async () => (await (await neighbour()).user()).listing({ published: true }),
  ],
  ['a listing that was paused', async () => pause(await publish())],
  ['a listing that the user has seen', () => publishBefore(() => keep({ lastSeenAt: now() }))],
  ['a search whose alert was disabled', () => publishBefore(() => keep({ alert: 'NONE' }))],
  ['a deleted search', () => publishBefore(() => searches().deleteMany({ userId: user.id }))],
  ['a user who disabled mails about searches', () => publishFor(unwanted)],
  ['a suspended user', () => publishFor({ state: 'suspended' })],
  ['a user without a verified address', () => publishFor({ emailVerified: false })],
])('an instant alert sends no mail for %s', async (_, act) => {
  await publish('Before');
  await keep();
  await act();
  await mailInstant();
  expect(await mails()).toEqual([]);
  expect(await searches().count({ alertDueAt: { $ne: null } })).toBe(0);
});

test('a daily alert mails the listings of the last day, and sends no mail on days without listings', async () => {
  await publish('Before');
  await keep({ alert: 'DAILY' });
  const { slug } = await publish();
  await mailDue();
  expect(await mails()).toEqual([]);
  stack.advance(dayMs);
  await Promise.all([1, 2, 3].map(mailDue));
  const [first, ...others] = await mails();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ text: expect.stringContaining('“Octavia”.'), link: urlOf(slug) });
  stack.advance(dayMs);
  await mailDue();
  expect(await mails()).toHaveLength(1);
  for (let index = 0; index < 2; index += 1) await publish(`Octavia ${index}`);
  stack.advance(dayMs);
  await mailDue();
  expect((await mails())[1]?.text).toContain('“Octavia 1” and “Octavia 0”');
});

test('a daily alert keeps its hour when it is set again, and skips missed days', async () => {
  const _id = await keep({ alert: 'DAILY' });
  const due = async () => Number((await searches().findOne({ _id }))?.alertDueAt);
  const first = await due();
  stack.advance(dayMs / 2);
  await keep({ alert: 'DAILY' });
  expect(await due()).toBe(first);
  stack.advance(3 * dayMs);
  await mailDue();
  expect(await due()).toBe(first + 3 * dayMs);
});

test('a daily alert sends no mail for seen listings, if its user disabled mails, or after it was disabled', async () => {
  await keep({ alert: 'DAILY' });
  await publish('Seen before');
  stack.advance(1000);
  await keep({ lastSeenAt: now() });
  stack.advance(dayMs);
  await mailDue();
  await publish('Unwanted');
  await changeUser({ 'notificationPreferences.savedSearch.email': false });
  stack.advance(dayMs);
  await mailDue();
  await changeUser({ 'notificationPreferences.savedSearch.email': true });
  await keep({ alert: 'NONE' });
  stack.advance(dayMs);
  await mailDue();
  expect(await mails()).toEqual([]);
});

test('an instant alert waits for ten seconds, so that earlier listings that become visible are in the mail', async () => {
  // The delay of the events is over, so their clock is not advanced.
  stack.advance(10_000);
  await keep();
  const early = await publish('Octavia of early');
  const show = (withdrawn: boolean) =>
    shop
      .records(CatalogListingModel)
      .findOneAndUpdate({ _id: early.id }, { $set: { withdrawn }, $currentDate: { changedAt: true } });
  await show(true);
  await publish('Octavia of late');
  await match(0);
  await mailDue();
  expect(await mails()).toEqual([]);
  await show(false);
  stack.advance(10_000);
  await mailDue();
  expect(await mails()).toMatchObject([
    { text: expect.stringContaining('“Octavia of late” and “Octavia of early”') },
  ]);
});

test('a listing that is matched while the mail of an earlier one is written is also mailed', async () => {
  await keep();
  await publish('Octavia of early');
  await match();
  interceptWrites(async (write, proceed) => {
    if (!write.startsWith('saved_searches.')) return proceed();
    interceptWrites(null);
    await publish('Octavia of late');
    await match();
    return proceed();
  });
  await mailDue();
  await mailDue();
  const text = (await mails()).map((mail) => mail.text).join('\n');
  expect([text.match(/of early/g), text.match(/of late/g)]).toEqual([['of early'], ['of late']]);
});

test('an instant alert does not mail listings that were published before it was enabled', async () => {
  await keep({ alert: 'NONE' });
  await publish('Before');
  await keep();
  await publish('After');
  await mailInstant();
  expect(await mails()).toMatchObject([{ subject: 'A new listing for “Skodas”' }]);
});

test('an instant alert does not mail listings that were published while its user had disabled mails', async () => {
  await keep();
  await publishFor(unwanted);
  await mailInstant();
  stack.advance(dayMs);
  await changeUser({ 'notificationPreferences.savedSearch.email': true });
  await publish('After');
  await mailInstant();
  expect(await mails()).toMatchObject([{ subject: 'A new listing for “Skodas”' }]);
});

test('the job of search alerts finds due searches through an index', async () => {
  await keep();
  await publish();
  await match();
  const plans = await indexesOf(mailDue);
  const own = plans.filter(({ command }) => /search/.test(command));
  expect(own.length).toBeGreaterThan(1);
  for (const { command, indexes } of own) expect([command, indexes.length > 0]).toEqual([command, true]);
});
