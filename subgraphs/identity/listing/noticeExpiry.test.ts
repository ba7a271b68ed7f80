import { product } from '../../../test/support/product.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from '../user/model.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { noticeExpiry } from './noticeExpiry.ts';
import { noticeOf } from './noticeOf.ts';
import { listingStates } from './states.ts';

const world = product();
const { market } = world;
const hour = 3600 * 1000;
const day = 24 * hour;

const put = (id: string, change: Partial<ListingRecord>) =>
  scoped(ListingModel, market.installation.id).findOneAndUpdate({ _id: id }, { $set: change });
const leave = (id: string, leftMs: number) =>
  put(id, { expiresAt: new Date(world.stack.platform.now() + leftMs) });
const notices = async (email: string) =>
  (await world.stack.mailsTo(email)).filter(({ subject }) => /expire/.test(subject));
const run = () => Promise.all([world.stack.runJob(noticeExpiry.name), world.stack.runJob(noticeExpiry.name)]);

test('an owner is told a week and a day before the time of a listing ends, each once', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true, title: 'Green tractor' });
  await leave(id, 7 * day + hour);
  await run();
  expect(await notices(anna.email)).toHaveLength(0);
  await leave(id, 7 * day);
  await run();
  await run();
  const [first, ...more] = await notices(anna.email);
  expect(more).toEqual([]);
  expect(first?.text).toContain('Green tractor');
  await leave(id, day + hour);
  await run();
  expect(await notices(anna.email)).toHaveLength(1);
  await leave(id, day);
  await run();
  await run();
  expect(await notices(anna.email)).toHaveLength(2);
  // To say so is no change of the listing.
  const listing = await scoped(ListingModel, market.installation.id).findOne({ _id: id });
  expect(listing).toMatchObject({ version: 2, expiryNotice: 'day' });
});

test('what ends within half a day of each other is told in one mail, a dealer’s to its owners', async () => {
  const dealer = await market.dealer();
  for (let count = 0; count < 12; count += 1) {
    const { id } = await dealer.listing({ published: true });
    await leave(id, 7 * day + count * hour - 1);
  }
  await run();
  const mails = await notices(dealer.owner.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toMatch(/^12 of your listings/);
});

test('who wants no mail about listings gets none, and is not told later either', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  const want = (email: boolean) =>
    scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: anna.id },
      { $set: { 'notificationPreferences.listing.email': email } },
    );
  await want(false);
  await leave(id, 6 * day);
  await run();
  await want(true);
  await run();
  expect(await notices(anna.email)).toHaveLength(0);
});

test('only what runs is told of', async () => {
  const anna = await market.user();
  const running = new Set(['active', 'paused', 'reserved']);
  for (const state of listingStates) {
    const { id } = await anna.listing({ published: true, title: `It is ${state}` });
    await put(id, { state });
    await leave(id, 6 * day);
  }
  await run();
  const [mail, ...more] = await notices(anna.email);
  expect(more).toEqual([]);
  for (const state of listingStates) expect(mail?.text.includes(`It is ${state}`)).toBe(running.has(state));
});

test('a renewal begins anew', async () => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  await leave(id, 6 * day);
  await run();
  const source = 'mutation ($input: RenewListingInput!) { renewListing(input: $input) { listing { id } } }';
  await world.stack.execute(
    source,
    { input: { listingId: id } },
    { as: anna.token, installation: market.installation },
  );
  const listing = await scoped(ListingModel, market.installation.id).findOne({ _id: id });
  expect(listing?.expiryNotice).toBeNull();
  await leave(id, 6 * day);
  await run();
  expect(await notices(anna.email)).toHaveLength(2);
});

test.each([
  [60, null],
  [8.1, null],
  [8, 'week'],
  [7, 'week'],
  [2.1, 'week'],
  [2, 'day'],
  [0.5, 'day'],
])('of a time of %d days the notices left out are those up to: %s', (days, notice) => {
  const at = new Date();
  expect(noticeOf(new Date(at.getTime() + days * day), at)).toBe(notice);
});
