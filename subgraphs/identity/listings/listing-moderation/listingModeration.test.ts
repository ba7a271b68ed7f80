import { concurrently } from '../../../../test/support/concurrently.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { type SeededUser } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { recordsOf } from '../listing/fixture/recordsOf.ts';
import { rejectionReasons } from '../listing/record/model.ts';
import { isAllowed, listingStates } from '../listing/record/states.ts';

const { neighbour, stack } = product();
let records: ReturnType<typeof recordsOf>;
let moderator: SeededUser;

const shop = perFile(() => neighbour({ settings: { moderation: 'pre' } }));
beforeAll(async () => {
  records = recordsOf(shop);
  moderator = await shop.staff('moderator');
});
const anna = perTest(() => shop.user());

const approve = (listingId: string, revision = 1, more: object = {}) =>
  moderator.approveListing({ listingId, revision, ...more });
const reject = (listingId: string, revision = 1, more: object = {}) =>
  moderator.rejectListing({ listingId, revision, reasonCodes: ['MISLEADING'], ...more });
const decisions = { approve, reject };
/** Creates a listing of Anna that waits for review. */
const waiting = async (title = 'Skoda Octavia') => (await anna.listing({ published: true, title })).id;
/** Creates a listing of Anna that is approved. */
const approved = async (title?: string): Promise<string> => {
  const id = await waiting(title);
  await approve(id);
  return id;
};
type Filter = Parameters<SeededUser['adminListings']>[0];
/** The listings of Anna for moderators, by default those in the queue. */
const queue = async (filter: Filter = { queued: true }) =>
  (await moderator.adminListings({ first: 100, ownerId: anna.id, ...filter })).nodes;
const linesAbout = (id: string) => shop.audits({ 'target.id': id, result: 'allowed' });

test('the moderation queue contains undecided listings, in ascending order of submission', async () => {
  const [first, second] = [await waiting(), await waiting()];
  await anna.listing();
  const [oldest, ...others] = await queue();
  expect(oldest).toMatchObject({
    id: first,
    state: 'PENDING_REVIEW',
    flags: [],
    openReports: 0,
    revision: 1,
  });
  expect(oldest?.ageSeconds).toBeGreaterThanOrEqual(0);
  expect(others).toMatchObject([{ id: second }]);
  await approve(first);
  await reject(second);
  expect(await queue()).toEqual([]);
  expect(await queue({ state: ['ACTIVE'] })).toMatchObject([{ id: first }]);
  expect(await queue({})).toHaveLength(3);
});

test('the moderation queue flags new revisions and resubmissions, and filters by flag, category and age', async () => {
  const id = await approved();
  await anna.updateListing({ listingId: id, title: 'Skoda Octavia, repainted' });
  const other = await waiting();
  await reject(other);
  await anna.publishListing({ listingId: other });
  expect(await queue()).toMatchObject([
    { id, state: 'ACTIVE', flags: ['QUEUED_REVISION'], revision: 2, publishedRevision: 1 },
    { id: other, state: 'PENDING_REVIEW', flags: ['RESUBMITTED'] },
  ]);
  expect(await queue({ queued: true, flag: ['RESUBMITTED'] })).toMatchObject([{ id: other }]);
  expect(await queue({ queued: true, categoryId: newId('category') })).toEqual([]);
  expect(await queue({ queued: true, queuedBefore: '2020-01-01T00:00:00.000Z' as never })).toEqual([]);
});

test('a listing keeps its position in the queue when changed, and leaves it when withdrawn or archived', async () => {
  const [back, kept] = [await waiting(), await waiting()];
  await anna.updateListing({ listingId: back, title: 'Another car altogether' });
  const [before, ...others] = await queue();
  expect([before?.id, others]).toEqual([kept, []]);
  await anna.updateListing({ listingId: kept, price: { amount: 5, currency: 'EUR' } });
  expect(await queue()).toMatchObject([{ queuedAt: before?.queuedAt }]);
  await anna.archiveListing({ listingId: kept });
  expect(await queue()).toEqual([]);
});

test('a rejected listing that is published again is queued, even without review before publication', async () => {
  const open = await neighbour();
  const [owner, staff] = [await open.user(), await open.staff('moderator')];
  const { id: listingId } = await owner.listing({ published: true });
  const flags = async () => (await staff.adminListings({}, 'nodes { id state flags }')).nodes;
  expect(await flags()).toEqual([]);
  await staff.rejectListing({ listingId, revision: 1, reasonCodes: ['SPAM'] });
  expect(await flags()).toEqual([]);
  await owner.publishListing({ listingId });
  expect(await flags()).toEqual([{ id: listingId, state: 'ACTIVE', flags: ['RESUBMITTED'] }]);
  const { listing } = await staff.approveListing({ listingId, revision: 1 });
  expect(listing.state).toBe('ACTIVE');
  expect(await flags()).toEqual([]);
});

test('an approval publishes a listing, writes an audit event and sends a mail to the owner', async () => {
  const id = await waiting('Saab 900 Turbo');
  expect(await records.copyOf(id)).toBeNull();
  const { listing } = await approve(id, 1, { note: 'Papers are fine.' });
  expect(listing).toMatchObject({
    state: 'ACTIVE',
    publishedRevision: 1,
    moderation: { decision: 'APPROVED', revision: 1, reasonCodes: [], appealUntil: null },
  });
  expect(await records.copyOf(id)).toMatchObject({ title: 'Saab 900 Turbo' });
  const line = { action: 'approveListing', reason: 'Papers are fine.', actor: { id: moderator.id } };
  expect(await linesAbout(id)).toMatchObject([line]);
  const mails = await stack.mailsTo(anna.email);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Saab 900 Turbo')]);
});

test('an approval publishes a queued revision once, and the earlier revision is public until then', async () => {
  const id = await approved('Volvo 145');
  await anna.updateListing({ listingId: id, title: 'Volvo 145 Express' });
  expect(await records.copyOf(id)).toMatchObject({ title: 'Volvo 145' });
  expect((await approve(id, 2)).listing).toMatchObject({ state: 'ACTIVE', publishedRevision: 2 });
  expect(await records.copyOf(id)).toMatchObject({ title: 'Volvo 145 Express' });
  expect(await approve(id, 2)).toBeRefused(409, 'invalid_transition');
});

test('an approval publishes a rejected listing again with its earlier address and expiry', async () => {
  const id = await approved();
  const before = await records.copyOf(id);
  await reject(id);
  expect(await records.copyOf(id)).toBeNull();
  expect((await approve(id)).listing).toMatchObject({ state: 'ACTIVE', stateReason: null });
  expect(await records.copyOf(id)).toMatchObject({ slug: before?.slug, expiresAt: before?.expiresAt });
});

test('a moderator cannot approve an own listing or a listing of a dealer of which they are a member', async () => {
  const [owner, member] = [await shop.staff('moderator'), await shop.staff('moderator')];
  const dealer = await shop.dealer({ members: [{ userId: member.id, role: 'agent' }] });
  const own = { listingId: (await owner.listing({ published: true })).id, revision: 1 };
  const ofDealer = { listingId: (await dealer.listing({ published: true })).id, revision: 1 };
  expect(await owner.approveListing(own)).toBeRefused(403, 'four_eyes');
  expect(await member.approveListing(ofDealer)).toBeRefused(403, 'four_eyes');
  expect(await owner.approveListing(ofDealer)).not.toBeRefused();
});

test('an approved listing of a suspended owner is not public', async () => {
  const id = await waiting();
  await moderator.suspendUser({ userId: anna.id, reason: 'Fraud' });
  expect((await approve(id)).listing).toMatchObject({ state: 'ACTIVE' });
  expect(await records.copyOf(id)).toMatchObject({ withdrawn: true });
});

test('a rejection hides a listing and mails the reasons to the owner, who has six months to appeal', async () => {
  const id = await approved('Lada Niva');
  const statement = 'The pictures are those of another car.';
  const { listing } = await reject(id, 1, { reasonCodes: ['MISLEADING', 'FRAUD', 'FRAUD'], statement });
  expect(listing).toMatchObject({
    state: 'REJECTED',
    stateReason: statement,
    moderation: { decision: 'REJECTED', reasonCodes: ['MISLEADING', 'FRAUD'], statement },
  });
  const { moderation } = await records.stored(id);
  const appealMs = Number(moderation?.appealUntil) - Number(moderation?.decidedAt);
  expect(appealMs / (30 * 24 * 3_600_000)).toBeGreaterThanOrEqual(6);
  expect(await records.copyOf(id)).toBeNull();
  const mails = await stack.mailsTo(anna.email);
  const mail = mails.find(({ kind }) => kind === 'listingRejected');
  for (const part of ['Lada Niva', 'fraud is suspected', statement, moderation?.id])
    expect(mail?.text).toContain(part);
  const line = { action: 'rejectListing', reason: `misleading, fraud, ${statement}` };
  expect((await linesAbout(id)).at(-1)).toMatchObject(line);
});

test('a rejection is mailed to every owner of the dealer, even if the dealer is suspended', async () => {
  const partner = await shop.user({ locale: 'de' });
  const { id: dealerId, ...dealer } = await shop.dealer({ members: [{ userId: partner.id, role: 'owner' }] });
  const { id } = await dealer.listing({ published: true, title: 'Trabant 601' });
  await moderator.suspendDealer({ dealerId, reason: 'Fraud' });
  expect(await reject(id)).not.toBeRefused();
  const textsTo = async ({ email }: SeededUser) => (await stack.mailsTo(email)).map(({ text }) => text);
  expect((await textsTo(dealer.owner)).filter((text) => text.includes('Reasons'))).toHaveLength(1);
  expect((await textsTo(partner)).filter((text) => text.includes('Gründe'))).toHaveLength(1);
});

test('rejecting a revision keeps the published one, and the next revision is queued again', async () => {
  const id = await waiting('Fiat Panda');
  const keepPublished = { keepPublished: true };
  expect(await reject(id, 1, keepPublished)).toBeRefused(409, 'invalid_transition');
  await approve(id);
  await anna.updateListing({ listingId: id, title: 'Fiat Panda, like new' });
  const revisions = { publishedRevision: 1, revision: 2 };
  expect((await reject(id, 2, keepPublished)).listing).toMatchObject({ state: 'ACTIVE', ...revisions });
  expect(await records.copyOf(id)).toMatchObject({ title: 'Fiat Panda' });
  expect(await queue()).toEqual([]);
  await anna.updateListing({ listingId: id, title: 'Fiat Panda 750' });
  expect(await queue()).toMatchObject([{ id, flags: ['QUEUED_REVISION'], revision: 3 }]);
});

test('a rejection ends a reservation', async () => {
  const id = await approved();
  const until = new Date(stack.platform.now() + 3_600_000);
  await anna.reserveListing({ listingId: id, until: until.toISOString() as never });
  expect((await reject(id)).listing.state).toBe('REJECTED');
  expect((await records.stored(id)).reservation).toBeNull();
});

test.each(rejectionReasons)('a listing can be rejected for the reason %s', async (reason) => {
  const code = reason.toUpperCase() as Uppercase<typeof reason>;
  const { listing } = await reject(await waiting(), 1, { reasonCodes: [code] });
  expect(listing.moderation).toMatchObject({ decision: 'REJECTED', reasonCodes: [code] });
});

test.each([
  ['without a reason', { reasonCodes: [] }, '#/reasonCodes'],
  ['with a statement of 2001 characters', { statement: 'x'.repeat(2001) }, '#/statement'],
  ['with HTML in its statement', { statement: '<b>bold</b>' }, '#/statement'],
])('a rejection %s is refused', async (_, more, pointer) => {
  expect(await reject(await waiting(), 1, more)).toBeInvalid(pointer);
});

test('a decision on an outdated revision and an approval with a long note are refused', async () => {
  const id = await waiting();
  for (const decide of [approve, reject]) expect(await decide(id, 2)).toBeRefused(409, 'revision_changed');
  expect(await approve(id, 1, { note: 'x'.repeat(2001) })).toBeRefused(422);
});

test.each([
  ['approveListing', approve, 'active'],
  ['rejectListing', reject, 'rejected'],
] as const)(
  '%s is accepted in the states of the state machine and refused in others',
  async (trigger, decide, to) => {
    const { id } = await anna.listing();
    for (const state of listingStates) {
      await records.put(id, { state });
      const answer = await decide(id);
      if (isAllowed(state, to, trigger)) expect(answer).not.toBeRefused();
      else expect(answer).toBeRefused(409, 'invalid_transition');
    }
  },
);

test.each(['approve', 'reject'] as const)(
  'one of fifty concurrent calls to %s succeeds, with one audit event and one mail',
  async (name) => {
    const id = await waiting();
    expect(await concurrently(50, () => decisions[name](id))).toBeRefusedTimes(49, 409, 'invalid_transition');
    expect(await linesAbout(id)).toHaveLength(1);
    expect(await stack.mailsTo(anna.email)).toHaveLength(1);
  },
);

test('concurrent approvals and rejections result in one state with the matching public copy', async () => {
  const id = await waiting();
  await Promise.all([...Array(10)].flatMap(() => [approve(id), reject(id)]));
  const { state } = await records.stored(id);
  expect(['active', 'rejected']).toContain(state);
  expect((await records.copyOf(id)) !== null).toBe(state === 'active');
});
