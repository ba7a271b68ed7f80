import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel, type ListingRecord, rejectionReasons } from '../listing/model.ts';
import { isAllowed, listingStates } from '../listing/states.ts';
import { buildIdentity } from '../server.ts';
import { upperCase } from '../upperCase.ts';

let stack: TestStack;
let shop: SeededInstallation;
let moderator: SeededUser;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation({ settings: { moderation: 'pre' } });
  moderator = await shop.staff('moderator');
});
afterAll(() => stack.close());

interface Caller {
  token: string;
}
const run = (source: string, variables: Record<string, unknown>, by: Caller) =>
  stack.execute(source, variables, { as: by.token, installation: shop.installation });
const shown =
  'listing { id state version revision publishedRevision title stateReason moderation { id decision reasonCodes statement revision decidedAt appealUntil } }';
const approve = (listingId: string, revision = 1, more: object = {}, by: Caller = moderator) =>
  run(
    `mutation ($input: ApproveListingInput!) { approveListing(input: $input) { ${shown} } }`,
    { input: { listingId, revision, ...more } },
    by,
  );
const reject = (listingId: string, revision = 1, more: object = {}, by: Caller = moderator) =>
  run(
    `mutation ($input: RejectListingInput!) { rejectListing(input: $input) { ${shown} } }`,
    { input: { listingId, revision, reasonCodes: ['MISLEADING'], ...more } },
    by,
  );
const change = (listingId: string, members: object, by: Caller) =>
  run(
    `mutation ($input: UpdateListingInput!) { updateListing(input: $input) { ${shown} } }`,
    { input: { listingId, ...members } },
    by,
  );
const publish = (listingId: string, by: Caller) =>
  run(
    `mutation ($input: PublishListingInput!) { publishListing(input: $input) { ${shown} } }`,
    { input: { listingId } },
    by,
  );
const queue = async (args = '', by: Caller = moderator): Promise<any[]> => {
  const nodes = 'nodes { id state title flags openReports queuedAt ageSeconds revision publishedRevision }';
  const result = await run(`{ adminListings(first: 100${args}) { ${nodes} } }`, {}, by);
  expect(result.errors).toBeUndefined();
  return result.data?.adminListings.nodes;
};
const copyOf = (id: string) => scoped(CatalogListingModel, shop.installation.id).findOne({ _id: id });
const put = (id: string, set: Partial<ListingRecord>) =>
  scoped(ListingModel, shop.installation.id).findOneAndUpdate({ _id: id }, { $set: set });
const linesAbout = (id: string) =>
  scoped(AuditEventModel, shop.installation.id).find(
    { 'target.id': id, result: 'allowed' },
    { sort: { at: 1, _id: 1 } },
  );

describe('the queue', () => {
  test('holds what waits, the longest wait first, and nothing that was decided', async () => {
    const anna = await shop.user();
    const [first, second] = [
      await anna.listing({ published: true }),
      await anna.listing({ published: true }),
    ];
    await anna.listing();
    const waiting = await queue(`, ownerId: "${anna.id}", queued: true`);
    expect(waiting.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(waiting[0]).toMatchObject({ state: 'PENDING_REVIEW', flags: [], openReports: 0, revision: 1 });
    expect(waiting[0].ageSeconds).toBeGreaterThanOrEqual(0);
    await approve(first.id);
    await reject(second.id);
    expect(await queue(`, ownerId: "${anna.id}", queued: true`)).toEqual([]);
    expect(await queue(`, ownerId: "${anna.id}", state: [ACTIVE]`)).toMatchObject([{ id: first.id }]);
    expect(await queue(`, ownerId: "${anna.id}"`)).toHaveLength(3);
  });

  test('flags a queued revision and what was rejected before, and is filtered by flag, category and age', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    await approve(id);
    await change(id, { title: 'Skoda Octavia, repainted' }, anna);
    const other = await anna.listing({ published: true });
    await reject(other.id);
    await publish(other.id, anna);
    const own = `, ownerId: "${anna.id}", queued: true`;
    expect(await queue(own)).toMatchObject([
      { id, state: 'ACTIVE', flags: ['QUEUED_REVISION'], revision: 2, publishedRevision: 1 },
      { id: other.id, state: 'PENDING_REVIEW', flags: ['RESUBMITTED'] },
    ]);
    expect(await queue(`${own}, flag: [RESUBMITTED]`)).toMatchObject([{ id: other.id }]);
    expect(await queue(`${own}, categoryId: "${newId('category')}"`)).toEqual([]);
    expect(await queue(`${own}, queuedBefore: "2020-01-01T00:00:00.000Z"`)).toEqual([]);
  });

  test('keeps nothing that its owner took back or that was archived, and a place is kept through changes', async () => {
    const anna = await shop.user();
    const [back, kept] = [await anna.listing({ published: true }), await anna.listing({ published: true })];
    await change(back.id, { title: 'Another car altogether' }, anna);
    const since = (await queue(`, ownerId: "${anna.id}", queued: true`))[0];
    expect(since.id).toBe(kept.id);
    await change(kept.id, { price: { amount: 5, currency: 'EUR' } }, anna);
    expect((await queue(`, ownerId: "${anna.id}", queued: true`))[0].queuedAt).toEqual(since.queuedAt);
    await put(kept.id, { state: 'archived' });
    expect(await queue(`, ownerId: "${anna.id}", queued: true`)).toEqual([]);
  });

  test('is read page by page, and only with the permission', async () => {
    const anna = await shop.user();
    for (let count = 0; count < 3; count += 1) await anna.listing({ published: true });
    const page = async (after: string | null) =>
      (
        await run(
          `query ($after: String, $ownerId: ID) { adminListings(first: 2, after: $after, ownerId: $ownerId, queued: true) {
             nodes { id listing { id owner { id } } } pageInfo { hasNextPage endCursor } } }`,
          { after, ownerId: anna.id },
          moderator,
        )
      ).data?.adminListings;
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);
    expect(new Set([...first.nodes, ...second.nodes].map(({ id }) => id)).size).toBe(3);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect(first.nodes[0].listing.owner.id).toBe(anna.id);
    const refused = await run('{ adminListings { nodes { id } } }', {}, await shop.staff('support'));
    expect(problemOf(refused)).toMatchObject({ code: 'permission_required', status: 403 });
  });
});

test('where listings are shown before they are reviewed, what was taken down and is shown again waits for a look', async () => {
  const open = await seed(stack).installation();
  const [anna, staff] = [await open.user(), await open.staff('moderator')];
  const { id } = await anna.listing({ published: true });
  const ask = (source: string, input: object, by: Caller) =>
    stack.execute(source, { input }, { as: by.token, installation: open.installation });
  const flags = async () =>
    (
      await stack.execute(
        '{ adminListings { nodes { id state flags } } }',
        {},
        { as: staff.token, installation: open.installation },
      )
    ).data?.adminListings.nodes;
  expect(await flags()).toEqual([]);
  const listingId = id;
  await ask(
    'mutation ($input: RejectListingInput!) { rejectListing(input: $input) { listing { id } } }',
    { listingId, revision: 1, reasonCodes: ['SPAM'] },
    staff,
  );
  expect(await flags()).toEqual([]);
  await ask(
    'mutation ($input: PublishListingInput!) { publishListing(input: $input) { listing { id } } }',
    { listingId },
    anna,
  );
  expect(await flags()).toEqual([{ id, state: 'ACTIVE', flags: ['RESUBMITTED'] }]);
  const approved = await ask(
    'mutation ($input: ApproveListingInput!) { approveListing(input: $input) { listing { state } } }',
    { listingId, revision: 1 },
    staff,
  );
  expect(approved.data?.approveListing.listing).toEqual({ state: 'ACTIVE' });
  expect(await flags()).toEqual([]);
});

describe('an approval', () => {
  test('brings a listing before the public, says so in the audit and tells the owner', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true, title: 'Saab 900 Turbo' });
    expect(await copyOf(id)).toBeNull();
    const { data } = await approve(id, 1, { note: 'Papers are fine.' });
    expect(data?.approveListing.listing).toMatchObject({
      state: 'ACTIVE',
      publishedRevision: 1,
      moderation: { decision: 'APPROVED', revision: 1, reasonCodes: [], appealUntil: null },
    });
    expect(await copyOf(id)).toMatchObject({ title: 'Saab 900 Turbo' });
    expect(await linesAbout(id)).toMatchObject([
      { action: 'approveListing', reason: 'Papers are fine.', actor: { id: moderator.id } },
    ]);
    expect((await stack.mailsTo(anna.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Saab 900 Turbo'),
    ]);
  });

  test('publishes a queued revision; until then the public sees the one before', async () => {
    const { owner, ...dealer } = await shop.dealer();
    const { id } = await dealer.listing({ published: true, title: 'Volvo 145' });
    await approve(id);
    await change(id, { title: 'Volvo 145 Express' }, owner);
    expect(await copyOf(id)).toMatchObject({ title: 'Volvo 145' });
    const { data } = await approve(id, 2);
    expect(data?.approveListing.listing).toMatchObject({ state: 'ACTIVE', publishedRevision: 2 });
    expect(await copyOf(id)).toMatchObject({ title: 'Volvo 145 Express' });
    // It was only the revision that waited.
    expect(problemOf(await approve(id, 2))).toMatchObject({ code: 'invalid_transition', status: 409 });
  });

  test('reinstates what was rejected, with the address and the time it had', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    await approve(id);
    const before = await copyOf(id);
    await reject(id);
    expect(await copyOf(id)).toBeNull();
    expect((await approve(id)).data?.approveListing.listing).toMatchObject({
      state: 'ACTIVE',
      stateReason: null,
    });
    expect(await copyOf(id)).toMatchObject({ slug: before?.slug, expiresAt: before?.expiresAt });
  });

  test('is nobody’s who owns the listing or acts for its dealer', async () => {
    const [mighty, member] = [await shop.staff('moderator'), await shop.staff('moderator')];
    const own = await mighty.listing({ published: true });
    const dealer = await shop.dealer({ members: [{ userId: member.id, role: 'agent' }] });
    const dealers = await dealer.listing({ published: true });
    for (const [id, by] of [
      [own.id, mighty],
      [dealers.id, member],
    ] as const)
      expect(problemOf(await approve(id, 1, {}, by))).toMatchObject({ code: 'four_eyes', status: 403 });
    expect((await approve(dealers.id)).errors).toBeUndefined();
  });

  test('of an owner who is barred shows nothing to the public', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    await run(
      'mutation ($input: SuspendUserInput!) { suspendUser(input: $input) { user { id } } }',
      { input: { userId: anna.id, reason: 'Fraud' } },
      moderator,
    );
    expect((await approve(id)).data?.approveListing.listing).toMatchObject({ state: 'ACTIVE' });
    expect(await copyOf(id)).toMatchObject({ withdrawn: true });
  });
});

describe('a rejection', () => {
  test('takes a listing down and states why to its owner, who has six months to appeal', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true, title: 'Lada Niva' });
    await approve(id);
    const statement = 'The pictures are those of another car.';
    const { data } = await reject(id, 1, { reasonCodes: ['MISLEADING', 'FRAUD', 'FRAUD'], statement });
    const { moderation, state, stateReason } = data?.rejectListing.listing ?? {};
    expect({ state, stateReason }).toEqual({ state: 'REJECTED', stateReason: statement });
    expect(moderation).toMatchObject({
      decision: 'REJECTED',
      reasonCodes: ['MISLEADING', 'FRAUD'],
      statement,
    });
    const months =
      (Date.parse(moderation.appealUntil) - Date.parse(moderation.decidedAt)) / (30 * 24 * 3_600_000);
    expect(months).toBeGreaterThanOrEqual(6);
    expect(await copyOf(id)).toBeNull();
    const mail = (await stack.mailsTo(anna.email)).find(({ kind }) => kind === 'listingRejected');
    for (const part of ['Lada Niva', 'signs of fraud', statement, moderation.id])
      expect(mail?.text).toContain(part);
    expect((await linesAbout(id)).at(-1)).toMatchObject({
      action: 'rejectListing',
      reason: `misleading, fraud, ${statement}`,
    });
  });

  test('of a dealer’s listing is told to every owner of the dealer, also while the dealer is barred', async () => {
    const partner = await shop.user({ locale: 'de' });
    const dealer = await shop.dealer({ members: [{ userId: partner.id, role: 'owner' }] });
    const { id } = await dealer.listing({ published: true, title: 'Trabant 601' });
    await run(
      'mutation ($input: SuspendDealerInput!) { suspendDealer(input: $input) { dealer { id } } }',
      { input: { dealerId: dealer.id, reason: 'Fraud' } },
      moderator,
    );
    expect((await reject(id)).errors).toBeUndefined();
    for (const [{ email }, word] of [
      [dealer.owner, 'Reasons'],
      [partner, 'Gründe'],
    ] as const)
      expect((await stack.mailsTo(email)).filter(({ text }) => text.includes(word))).toHaveLength(1);
  });

  test('of a revision leaves what is shown, and the next revision waits again', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true, title: 'Fiat Panda' });
    expect(problemOf(await reject(id, 1, { keepPublished: true }))).toMatchObject({
      code: 'invalid_transition',
    });
    await approve(id);
    await change(id, { title: 'Fiat Panda, like new' }, anna);
    const { data } = await reject(id, 2, { keepPublished: true });
    expect(data?.rejectListing.listing).toMatchObject({ state: 'ACTIVE', publishedRevision: 1, revision: 2 });
    expect(await copyOf(id)).toMatchObject({ title: 'Fiat Panda' });
    const own = `, ownerId: "${anna.id}", queued: true`;
    expect(await queue(own)).toEqual([]);
    await change(id, { title: 'Fiat Panda 750' }, anna);
    expect(await queue(own)).toMatchObject([{ id, flags: ['QUEUED_REVISION'], revision: 3 }]);
  });

  test('ends a reservation', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    await approve(id);
    const until = new Date(stack.platform.now() + 3_600_000);
    await put(id, {
      state: 'reserved',
      reservation: { until, conversationId: null, buyerUserId: null, paymentId: null },
    });
    expect((await reject(id)).data?.rejectListing.listing.state).toBe('REJECTED');
    const stored = await scoped(ListingModel, shop.installation.id).findOne({ _id: id });
    expect(stored?.reservation).toBeNull();
  });

  test('takes every reason there is, and needs one', async () => {
    for (const code of rejectionReasons) {
      const { id } = await (await shop.user()).listing({ published: true });
      expect((await reject(id, 1, { reasonCodes: [upperCase(code)] })).errors).toBeUndefined();
    }
    const { id } = await (await shop.user()).listing({ published: true });
    for (const [more, pointer] of [
      [{ reasonCodes: [] }, '#/reasonCodes'],
      [{ statement: 'x'.repeat(2001) }, '#/statement'],
      [{ statement: '<b>bold</b>' }, '#/statement'],
    ] as const)
      expect(problemOf(await reject(id, 1, more))).toMatchObject({
        code: 'validation_failed',
        status: 422,
        errors: [{ pointer }],
      });
  });
});

describe('a decision', () => {
  test('names the revision that was looked at, and the version if it cares', async () => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    for (const decide of [approve, reject]) {
      expect(problemOf(await decide(id, 2))).toMatchObject({ code: 'revision_changed', status: 409 });
      expect(problemOf(await decide(id, 1, { expectedVersion: 9 }))).toMatchObject({
        code: 'precondition_failed',
        status: 412,
      });
    }
    expect(problemOf(await approve(id, 1, { note: 'x'.repeat(2001) }))).toMatchObject({ status: 422 });
    expect(problemOf(await approve(newId('listing')))).toMatchObject({ code: 'not_found', status: 404 });
    expect(problemOf(await reject('lst_x'))).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('with one key answers the same again', async () => {
    const { id } = await (await shop.user()).listing({ published: true });
    for (const decide of [approve, reject]) {
      const key = { idempotencyKey: unique('key') };
      const first = await decide(id, 1, key);
      expect(first.errors).toBeUndefined();
      expect((await decide(id, 1, key)).data).toEqual(first.data);
    }
  });

  test.each(listingStates)('from %s follows the state machine', async (state) => {
    for (const [decide, to, trigger] of [
      [approve, 'active', 'approveListing'],
      [reject, 'rejected', 'rejectListing'],
    ] as const) {
      const { id } = await (await shop.user()).listing();
      await put(id, { state });
      const result = await decide(id);
      if (isAllowed(state, to, trigger)) expect(result.errors).toBeUndefined();
      else expect(problemOf(result)).toMatchObject({ code: 'invalid_transition', status: 409 });
    }
  });

  test.each([
    ['approvals', approve],
    ['rejections', reject],
  ])('by fifty at once is one: of %s one line in the audit and one mail', async (_, decide) => {
    const anna = await shop.user();
    const { id } = await anna.listing({ published: true });
    const results = await Promise.all(Array.from({ length: 50 }, () => decide(id)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'invalid_transition', status: 409 });
    expect(await linesAbout(id)).toHaveLength(1);
    expect(await stack.mailsTo(anna.email)).toHaveLength(1);
  });

  test('one way and the other at once leaves one state and its public copy', async () => {
    const { id } = await (await shop.user()).listing({ published: true });
    await Promise.all([...Array(10)].flatMap(() => [approve(id), reject(id)]));
    const stored = await scoped(ListingModel, shop.installation.id).findOne({ _id: id });
    const isPublic = (await copyOf(id)) !== null;
    expect([stored?.state, isPublic]).toEqual(
      stored?.state === 'active' ? ['active', true] : ['rejected', false],
    );
  });
});
