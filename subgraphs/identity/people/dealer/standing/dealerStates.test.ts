import { concurrently } from '../../../../../test/support/concurrently.ts';
import { perFile, perTest, product } from '../../../../../test/support/product.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { CatalogListingModel } from '../../../listings/catalog/public-listing/model.ts';
import { ListingModel } from '../../../listings/listing/record/model.ts';
import { DealerModel } from '../model.ts';
import { dealerClosingsJob } from './dealerClosings.ts';
import { assertNoObligations } from './obligations.ts';

const { market, stack } = product();

const moderator = perFile(() => market.staff('moderator'));
const dealer = perTest(() => market.dealer());

const suspend = ({ id } = dealer, reason = 'Complaints') =>
  moderator.suspendDealer({ dealerId: id, reason }, 'dealer { state stateReason version }');
const reinstate = ({ id } = dealer) =>
  moderator.reinstateDealer({ dealerId: id }, 'dealer { state stateReason }');
const close = ({ id, owner } = dealer) => owner.closeDealer({ dealerId: id }, 'dealer { state }');
const stored = () => market.records(DealerModel).findOne({ _id: dealer.id });
const listings = () => market.records(ListingModel);
const copies = () => market.records(CatalogListingModel);
const statesOfListings = async () => {
  const found = await listings().find({ 'owner.id': dealer.id }, { sort: { createdAt: 1 } });
  return found.map(({ state }) => state);
};
const audits = () => market.audits({ 'target.id': dealer.id });
const isListed = async (listingId: string) => (await market.visitor.catalogListing({ listingId })) !== null;
const mailsToOwner = async () => (await stack.mailsTo(dealer.owner.email)).map(({ kind }) => kind);
const stateOfMembership = async () => {
  const { dealerMemberships } = await dealer.owner.me();
  return dealerMemberships.map(({ dealerState }) => dealerState);
};

test('suspending a dealer hides its listings, keeps their states, and is mailed and audited', async () => {
  const { id } = await dealer.listing({ published: true });
  await dealer.listing();
  const answer = await suspend(dealer, ' Many complaints ');
  const suspended = { state: 'SUSPENDED', stateReason: 'Many complaints', version: 2 };
  expect(answer).toMatchObject({ dealer: suspended });
  expect(await isListed(id)).toBe(false);
  expect(await statesOfListings()).toEqual(['active', 'draft']);
  expect(await mailsToOwner()).toEqual(['dealerSuspended']);
  expect(await audits()).toMatchObject([
    { action: 'suspendDealer', reason: 'Many complaints', actor: { id: moderator.id } },
  ]);
});

test('members of a suspended dealer can read and cannot write', async () => {
  const { owner, id: dealerId } = dealer;
  const { id: listingId } = await dealer.listing();
  await suspend();
  expect(await stateOfMembership()).toEqual(['SUSPENDED']);
  expect(await owner.dealer({ dealerId })).not.toBeRefused();
  expect(await owner.api.listing({ listingId })).not.toBeRefused();
  expect(await owner.listings({ dealerId })).not.toBeRefused();
  const title = 'Another title';
  expect(await owner.createListing({ dealerId, title })).toBeRefused(403, 'dealer_not_active');
  expect(await owner.updateListing({ listingId, title })).toBeRefused(403, 'dealer_not_active');
  expect(await owner.publishListing({ listingId })).toBeRefused(403, 'dealer_not_active');
});

test('reinstating a dealer shows its listings again, except expired ones', async () => {
  const [live, old] = [await dealer.listing({ published: true }), await dealer.listing({ published: true })];
  await suspend();
  const expiresAt = new Date(stack.platform.now() - 1);
  await copies().findOneAndUpdate({ _id: old.id }, { $set: { expiresAt } });
  expect(await reinstate()).toMatchObject({ dealer: { state: 'ACTIVE', stateReason: null } });
  expect([await isListed(live.id), await isListed(old.id)]).toEqual([true, false]);
  expect(await mailsToOwner()).toEqual(['dealerSuspended', 'dealerReinstated']);
  expect(await dealer.listing({ published: true })).toMatchObject({ slug: expect.any(String) });
});

test.each([
  ['an empty reason', ''],
  ['a blank reason', '   '],
  ['a reason of 501 characters', 'x'.repeat(501)],
  ['a direction character in the reason', 'a\u202eb'],
])('a suspension of a dealer with %s is refused', async (_, reason) => {
  expect(await suspend(dealer, reason)).toBeInvalid('#/reason');
});

test('a suspension of a suspended dealer and a reinstatement of an active one are refused', async () => {
  expect(await reinstate()).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'active', allowed: ['suspended', 'closing'] },
  });
  await suspend();
  expect(await suspend()).toBeRefused(409, 'invalid_transition');
});

test('one of twenty concurrent suspensions of a dealer succeeds', async () => {
  expect(await concurrently(20, () => suspend())).toBeRefusedTimes(19);
  expect(await mailsToOwner()).toEqual(['dealerSuspended']);
  expect(await stored()).toMatchObject({ state: 'suspended', version: 2 });
});

test('closing a dealer hides its listings immediately, and a job archives them and closes the dealer', async () => {
  const [live, sold] = [await dealer.listing({ published: true }), await dealer.listing()];
  await listings().findOneAndUpdate({ _id: sold.id }, { $set: { state: 'sold' } });
  expect(await close()).toMatchObject({ dealer: { state: 'CLOSING' } });
  expect(await isListed(live.id)).toBe(false);
  await stack.runJob(dealerClosingsJob.name);
  expect(await stored()).toMatchObject({ state: 'closed' });
  expect(await statesOfListings()).toEqual(['archived', 'sold']);
  expect(await copies().count({ 'seller.id': dealer.id })).toBe(0);
  expect((await audits()).map(({ action, actor }) => [action, actor.type])).toEqual([
    ['closeDealer', 'user'],
    ['dealerClosed', 'system'],
  ]);
  expect(await stateOfMembership()).toEqual(['CLOSED']);
});

test('a job continues an interrupted closing of a dealer', async () => {
  await dealer.listing({ published: true });
  const { id } = await dealer.listing();
  await close();
  await listings().findOneAndUpdate({ _id: id }, { $set: { state: 'archived' } });
  await stack.runJob(dealerClosingsJob.name);
  await stack.runJob(dealerClosingsJob.name);
  expect(await stored()).toMatchObject({ state: 'closed', version: 3 });
  expect(await statesOfListings()).toEqual(['archived', 'archived']);
});

test.each(['onboarding', 'active', 'suspended'] as const)(
  'a dealer can be closed in the state %s, and cannot be suspended or reinstated afterwards',
  async (state) => {
    const leaving = await market.dealer({ state });
    expect(await close(leaving)).toMatchObject({ dealer: { state: 'CLOSING' } });
    expect(await close(leaving)).toBeRefused(409, 'invalid_transition', {
      allowedFrom: { state: 'closing', allowed: ['closed'] },
    });
    for (const move of [suspend, reinstate])
      expect(await move(leaving)).toBeRefused(409, 'invalid_transition');
  },
);

test('closing a dealer is refused with the names of all open obligations', async () => {
  const record = await stored();
  if (!record) throw new Error('The dealer was not stored.');
  const kinds = [
    { name: 'balance', isOpen: async () => true },
    { name: 'disputes', isOpen: async () => false },
    { name: 'authorised payments', isOpen: async () => true },
  ];
  const assert = (some: typeof kinds) =>
    inTransaction((session) => assertNoObligations(record, session, some));
  await expect(assert(kinds)).rejects.toMatchObject({
    code: 'open_obligations',
    status: 409,
    details: { obligations: ['balance', 'authorised payments'] },
  });
  await assert(kinds.slice(1, 2));
});
