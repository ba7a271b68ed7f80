import { perTest, product } from '../../../../../test/support/product.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import { noticeOf } from '../record/noticeOf.ts';
import { listingStates } from '../record/states.ts';
import { noticeExpiry } from './noticeExpiry.ts';

const { market, stack } = product();
const { put, stored } = recordsOf(market);
const hour = 3600 * 1000;
const day = 24 * hour;

const anna = perTest(() => market.user());

const leave = (id: string, leftMs: number) => put(id, { expiresAt: new Date(stack.platform.now() + leftMs) });
const notices = async ({ email } = anna) =>
  (await stack.mailsTo(email)).filter(({ subject }) => /expire/.test(subject));
const run = () => Promise.all([stack.runJob(noticeExpiry.name), stack.runJob(noticeExpiry.name)]);

test('an owner receives one mail a week before a listing expires, and one a day before', async () => {
  const { id } = await anna.listing({ published: true, title: 'Green tractor' });
  const steps = [
    [7 * day + hour, 0],
    [7 * day, 1],
    [7 * day, 1],
    [day + hour, 1],
    [day, 2],
    [day, 2],
  ] as const;
  for (const [leftMs, mails] of steps) {
    await leave(id, leftMs);
    await run();
    expect(await notices()).toHaveLength(mails);
  }
  expect((await notices())[0]?.text).toContain('Green tractor');
  expect(await stored(id)).toMatchObject({ version: 2, expiryNotice: 'day' });
});

test('listings of a dealer that expire within half a day are in one mail to its owner', async () => {
  const dealer = await market.dealer();
  for (let count = 0; count < 12; count += 1) {
    const { id } = await dealer.listing({ published: true });
    await leave(id, 7 * day + count * hour - 1);
  }
  await run();
  const mails = await notices(dealer.owner);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^12 of your listings/)]);
});

test('a user who disabled mails about listings receives no notice, also after enabling them', async () => {
  const { id } = await anna.listing({ published: true });
  const want = (email: boolean) => anna.updateMe({ notificationPreferences: { listing: { email } } });
  await want(false);
  await leave(id, 6 * day);
  await run();
  await want(true);
  await run();
  expect(await notices()).toEqual([]);
});

test('a notice of expiry contains only active, paused and reserved listings', async () => {
  for (const state of listingStates) {
    const { id } = await anna.listing({ published: true, title: `It is ${state}` });
    await put(id, { state });
    await leave(id, 6 * day);
  }
  await run();
  const [mail, ...more] = await notices();
  expect(more).toEqual([]);
  const mentioned = listingStates.filter((state) => mail?.text.includes(`It is ${state}`));
  expect(mentioned).toEqual(['active', 'paused', 'reserved']);
});

test('a notice is sent again before a renewed listing expires', async () => {
  const { id } = await anna.listing({ published: true });
  await leave(id, 6 * day);
  await run();
  await anna.renewListing({ listingId: id });
  expect((await stored(id)).expiryNotice).toBeNull();
  await leave(id, 6 * day);
  await run();
  expect(await notices()).toHaveLength(2);
});

test.each([
  [60, null],
  [8.1, null],
  [8, 'week'],
  [7, 'week'],
  [2.1, 'week'],
  [2, 'day'],
  [0.5, 'day'],
])('a listing that is published for %d days skips the notices up to: %s', (days, notice) => {
  const at = new Date();
  expect(noticeOf(new Date(at.getTime() + days * day), at)).toBe(notice);
});
