import { concurrently } from '../../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../../test/support/seed.ts';
import { DealerModel } from '../../../people/dealer/model.ts';
import { UserModel } from '../../../people/user/model.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import { listingStates } from '../record/states.ts';
import { expireListings } from './expireListings.ts';

const { market, stack } = product();
const { put, stored, copyOf } = recordsOf(market);
const day = 24 * 3600 * 1000;

const anna = perTest(() => market.user());

const leave = (id: string, leftMs: number) => put(id, { expiresAt: new Date(stack.platform.now() + leftMs) });
const expire = () => stack.runJob(expireListings.name);
const renew = (listingId: string, by = anna) => by.renewListing({ listingId });
const changeDealer = (_id: string, $set: object) =>
  market.records(DealerModel).findOneAndUpdate({ _id }, { $set });

/** Creates a published listing that the job has expired. */
async function expired(by: Pick<SeededDealer, 'listing'>): Promise<string> {
  const { id } = await by.listing({ published: true });
  await leave(id, -1);
  await expire();
  return id;
}

test('a job expires active and paused listings after their expiry, and removes their public copies', async () => {
  const ids: string[] = [];
  for (const state of listingStates) {
    const { id } = await anna.listing({ published: true });
    ids.push(id);
    await put(id, { state });
    await leave(id, -1);
  }
  const { id: running } = await anna.listing({ published: true });
  await Promise.all([expire(), expire()]);
  for (const [index, before] of listingStates.entries()) {
    const { state, version } = await stored(ids[index] ?? '');
    const expires = before === 'active' || before === 'paused';
    expect([before, state, version]).toEqual([before, expires ? 'expired' : before, expires ? 3 : 2]);
  }
  expect(await copyOf(ids[listingStates.indexOf('active')] ?? '')).toBeNull();
  expect(await stored(running)).toMatchObject({ state: 'active' });
  expect(await copyOf(running)).not.toBeNull();
});

test('a renewal concurrent with the expiry job results in an active listing with the matching public copy', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await anna.listing({ published: true });
    await leave(id, -1);
    const [answer] = await Promise.all([renew(id), expire()]);
    expect(answer).not.toBeRefused();
    const { state, expiresAt } = await stored(id);
    expect(state).toBe('active');
    expect(await copyOf(id)).toMatchObject({ expiresAt });
  }
});

test('a renewal is accepted in the last 14 days, restarts the full term and keeps the time of publication', async () => {
  const { id } = await anna.listing({ published: true });
  const { publishedAt } = await stored(id);
  await leave(id, 14 * day + 60_000);
  expect(await renew(id)).toBeRefused(409, 'renewal_too_early');
  await leave(id, 14 * day);
  const { listing } = await renew(id);
  expect(listing).toMatchObject({ state: 'ACTIVE', publishedAt: publishedAt?.toISOString(), version: 3 });
  const { expiresAt, renewedAt } = await stored(id);
  expect(Number(expiresAt) - Number(renewedAt)).toBe(60 * day);
  expect(await copyOf(id)).toMatchObject({ publishedAt, expiresAt });
});

test('one of ten concurrent renewals succeeds, and the expired listing is public again', async () => {
  const id = await expired(anna);
  expect(await copyOf(id)).toBeNull();
  expect(await concurrently(10, () => renew(id))).toBeRefusedTimes(9, 409, 'renewal_too_early');
  const { state, slug, expiresAt } = await stored(id);
  expect(state).toBe('active');
  expect(await copyOf(id)).toMatchObject({ slug, expiresAt });
});

test('a renewal counts towards the limit of a dealer for an expired listing, and not for an active one', async () => {
  const dealer = await market.dealer({ limits: { maxActiveListings: 1 } });
  const id = await expired(dealer);
  const { id: running } = await dealer.listing({ published: true });
  expect(await renew(id, dealer.owner)).toBeRefused(403, 'quota_exceeded');
  await changeDealer(dealer.id, { 'limits.maxActiveListings': 0 });
  await leave(running, day);
  expect(await renew(running, dealer.owner)).not.toBeRefused();
});

test('concurrent renewals do not exceed the limit of the dealer', async () => {
  const dealer = await market.dealer({ limits: { maxActiveListings: 2 } });
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) ids.push(await expired(dealer));
  const answers = await Promise.all(ids.map((id) => renew(id, dealer.owner)));
  expect(answers).toBeRefusedTimes(4, 403, 'quota_exceeded');
});

test('a renewal is refused for an incomplete listing, an unverified address and an inactive dealer', async () => {
  const id = await expired(anna);
  const { title } = await stored(id);
  await put(id, { title: null });
  expect(await renew(id)).toBeRefused(422, 'listing_incomplete', { errors: [{ pointer: '#/title' }] });
  await put(id, { title });
  const users = market.records(UserModel);
  await users.findOneAndUpdate({ _id: anna.id }, { $set: { emailVerified: false } });
  stack.platform.forgetPrincipal({ userId: anna.id });
  expect(await renew(id)).toBeRefused(403, 'email_unverified');
  const dealer = await market.dealer();
  const car = await expired(dealer);
  await changeDealer(dealer.id, { state: 'onboarding' });
  expect(await renew(car, dealer.owner)).toBeRefused(403, 'dealer_not_active');
});
