import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { erasureSteps } from '../account-deletion/erasureSteps.ts';
import { ListingModel } from '../listing/model.ts';
import { MediaModel, newMedia } from '../media/model.ts';
import { ReportModel, reportReasons } from './model.ts';

const world = product();
const { market } = world;
let moderator: SeededUser;
let support: SeededUser;

beforeAll(async () => {
  [moderator, support] = [await market.staff('moderator'), await market.staff('support')];
});

interface Caller {
  token: string;
}
const run = (source: string, variables: Record<string, unknown>, by: Caller) =>
  world.stack.execute(source, variables, { as: by.token, installation: market.installation });
const report = (type: string, id: string, by: Caller, more: object = {}) =>
  run(
    'mutation ($input: CreateReportInput!) { createReport(input: $input) { report { id state reason target { type id } } } }',
    { input: { target: { type, id }, reason: type === 'DECISION' ? 'APPEAL' : 'FRAUD', ...more } },
    by,
  );
const reported = async (type: string, id: string, by: Caller, more: object = {}): Promise<string> => {
  const result = await report(type, id, by, more);
  expect(result.errors).toBeUndefined();
  return result.data?.createReport.report.id;
};
const all =
  'id source state reason text ownerId target { type id } evidence reporter { userId name } reviewedBy version resolution { outcome answer note actions { type targetId } resolvedBy resolvedAt }';
const resolve = (reportId: string, input: object, by: Caller = moderator) =>
  run(
    `mutation ($input: ResolveReportInput!) { resolveReport(input: $input) { report { ${all} } } }`,
    { input: { reportId, ...input } },
    by,
  );
const review = (reportId: string, by: Caller = moderator) =>
  run(
    `mutation ($input: ReviewReportInput!) { reviewReport(input: $input) { report { ${all} } } }`,
    { input: { reportId } },
    by,
  );
const dismiss = { outcome: 'DISMISSED' };
const reports = async (args: string, by: Caller = support): Promise<any[]> => {
  const result = await run(`{ adminReports(${args}) { nodes { ${all} } } }`, {}, by);
  expect(result.errors).toBeUndefined();
  return result.data?.adminReports.nodes;
};
const listingOf = (id: string) => scoped(ListingModel, market.installation.id).findOne({ _id: id });
const linesAbout = (id: string) =>
  scoped(AuditEventModel, market.installation.id).find({ 'target.id': id, result: 'allowed' });

describe('a report', () => {
  test('keeps what was reported as it was then, and shows it to the staff alone', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true, title: 'Audi 80 Quattro' });
    const result = await report('LISTING', id, buyer, { text: ' No such car. ' });
    expect(result.data?.createReport.report).toEqual({
      id: expect.stringMatching(/^rep_/),
      state: 'OPEN',
      reason: 'FRAUD',
      target: { type: 'LISTING', id },
    });
    await run(
      'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }',
      { input: { listingId: id, title: 'Something harmless' } },
      anna,
    );
    const [seen] = await reports(`targetId: "${id}"`);
    expect(seen).toMatchObject({
      source: 'REPORT',
      ownerId: anna.id,
      text: 'No such car.',
      evidence: { title: 'Audi 80 Quattro' },
      reporter: { userId: buyer.id },
    });
    for (const by of [anna, buyer])
      expect(problemOf(await run('{ adminReports { nodes { id } } }', {}, by))).toMatchObject({
        code: 'permission_required',
      });
  });

  test('moves its listing into the queue of moderators without its owner noticing', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const before = await listingOf(id);
    const reportId = await reported('LISTING', id, buyer);
    const queued = '{ adminListings(flag: [REPORTED]) { nodes { id openReports flags } } }';
    const nodes = (await run(queued, {}, moderator)).data?.adminListings.nodes;
    expect(nodes).toContainEqual({ id, openReports: 1, flags: ['REPORTED'] });
    const after = await listingOf(id);
    expect([after?.version, after?.updatedAt]).toEqual([before?.version, before?.updatedAt]);
    await resolve(reportId, dismiss);
    expect(await listingOf(id)).toMatchObject({ openReports: 0, flags: [], queuedAt: null });
  });

  test('is about dealers, users and files as well, under every reason but an appeal', async () => {
    const [buyer, other, dealer] = [await market.user(), await market.user(), await market.dealer()];
    const at = new Date();
    const file = newMedia({
      _id: newId('media'),
      owner: { type: 'dealer', id: dealer.id },
      kind: 'image',
      purpose: 'logo',
      state: 'ready',
      filename: 'logo.png',
      contentType: 'image/png',
      byteSize: 9,
      createdAt: at,
    });
    await scoped(MediaModel, market.installation.id).insert(file);
    for (const [type, id, ownerId] of [
      ['DEALER', dealer.id, dealer.id],
      ['USER', other.id, other.id],
      ['MEDIA', file._id, dealer.id],
    ] as const) {
      await reported(type, id, buyer);
      expect((await reports(`targetId: "${id}"`))[0]).toMatchObject({ ownerId, target: { type, id } });
    }
    for (const reason of reportReasons) {
      const { id } = await market.user();
      const result = await report('USER', id, buyer, { reason: reason.toUpperCase() });
      if (reason === 'appeal') expect(problemOf(result).errors).toMatchObject([{ pointer: '#/reason' }]);
      else expect(result.errors).toBeUndefined();
    }
  });

  test('of what the public has never seen, of nothing, and of another installation’s is 404 in the same words', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const elsewhere = await world.neighbour();
    const foreign = await (await elsewhere.user()).listing({ published: true });
    const secret = newMedia({
      _id: newId('media'),
      owner: { type: 'user', id: anna.id },
      kind: 'document',
      purpose: 'verification',
      state: 'ready',
      filename: 'passport.pdf',
      contentType: 'application/pdf',
      byteSize: 9,
      createdAt: new Date(),
    });
    await scoped(MediaModel, market.installation.id).insert(secret);
    const unborn = await market.dealer({ state: 'onboarding' });
    const problems = [];
    for (const [type, id] of [
      ['LISTING', (await anna.listing()).id],
      ['LISTING', foreign.id],
      ['LISTING', newId('listing')],
      ['LISTING', 'x'],
      ['DEALER', unborn.id],
      ['USER', (await elsewhere.user()).id],
      ['MEDIA', secret._id],
      ['DECISION', newId('decision')],
      ['DECISION', newId('report')],
    ] as const)
      problems.push(problemOf(await report(type, id, buyer)));
    expect(new Set(problems.map(({ code, status, detail }) => `${status} ${code} ${detail}`)).size).toBe(1);
    expect(problems[0]).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('of one’s own, or with a text that nobody can read, is refused with the place', async () => {
    const anna = await market.user();
    const buyer = await market.user();
    const dealer = await market.dealer({ owner: anna });
    const own = await anna.listing({ published: true });
    for (const [type, id, by, more, pointer] of [
      ['LISTING', own.id, anna, {}, '#/target/id'],
      ['DEALER', dealer.id, anna, {}, '#/target/id'],
      ['USER', anna.id, anna, {}, '#/target/id'],
      ['LISTING', own.id, buyer, { text: 'x'.repeat(2001) }, '#/text'],
      ['LISTING', own.id, buyer, { text: 'a\u0000b' }, '#/text'],
    ] as const)
      expect(problemOf(await report(type, id, by, more))).toMatchObject({
        code: 'validation_failed',
        status: 422,
        errors: [{ pointer }],
      });
  });

  test('by one person about one thing is one while it is not resolved, however many come at once', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const results = await Promise.all(Array.from({ length: 20 }, () => report('LISTING', id, buyer)));
    const done = results.filter(({ errors }) => !errors);
    expect(done).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'already_reported', status: 409 });
    expect(await listingOf(id)).toMatchObject({ openReports: 1 });
    await resolve(done[0]?.data?.createReport.report.id, dismiss);
    await reported('LISTING', id, buyer);
  });

  test('by many at once about one listing are all counted', async () => {
    const anna = await market.user();
    const { id } = await anna.listing({ published: true });
    const people = await Promise.all(Array.from({ length: 12 }, () => market.user()));
    await Promise.all(people.map((by) => reported('LISTING', id, by)));
    expect(await listingOf(id)).toMatchObject({ openReports: 12 });
  });

  test('with one key is made once', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const key = { idempotencyKey: unique('key') };
    const first = await report('USER', anna.id, buyer, key);
    expect((await report('USER', anna.id, buyer, key)).data).toEqual(first.data);
  });
});

test('of one’s own show what has become of them, and nothing else', async () => {
  const [anna, buyer] = [await market.user(), await market.user()];
  const first = await reported('USER', anna.id, buyer);
  const second = await reported('USER', (await market.user()).id, buyer);
  await resolve(first, dismiss);
  const mine = async (by: Caller) =>
    (await run('{ myReports { nodes { id state reason } } }', {}, by)).data?.myReports.nodes;
  expect(await mine(buyer)).toEqual([
    { id: second, state: 'OPEN', reason: 'FRAUD' },
    { id: first, state: 'DISMISSED', reason: 'FRAUD' },
  ]);
  expect(await mine(anna)).toEqual([]);
});

describe('the reports', () => {
  test('are read oldest first, filtered, page by page', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push(await reported('LISTING', (await anna.listing({ published: true })).id, buyer));
    const own = `ownerId: "${anna.id}"`;
    expect((await reports(own)).map(({ id }) => id)).toEqual(ids);
    await resolve(ids[0] ?? '', dismiss);
    expect(await reports(own)).toHaveLength(2);
    expect(await reports(`${own}, state: [DISMISSED]`)).toMatchObject([{ id: ids[0] }]);
    expect(await reports(`${own}, reason: SPAM`)).toEqual([]);
    expect(await reports(`${own}, targetType: USER`)).toEqual([]);
    const page = await run(
      `{ adminReports(${own}, first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
      {},
      support,
    );
    const { pageInfo } = page.data?.adminReports ?? {};
    expect(await reports(`${own}, first: 1, after: "${pageInfo.endCursor}"`)).toMatchObject([{ id: ids[2] }]);
  });

  test('are counted for whoever manages them, and for nobody else', async () => {
    const counts = async (by: Caller) =>
      (await run('{ me { counts { openReports unreadMessages } } }', {}, by)).data?.me.counts;
    const before = (await counts(support)).openReports;
    await reported('USER', (await market.user()).id, await market.user());
    expect(await counts(support)).toEqual({ openReports: before + 1, unreadMessages: 0 });
    expect(await counts(await market.user())).toEqual({ openReports: null, unreadMessages: 0 });
  });
});

test('about a member of the staff it is for others: he neither sees nor resolves it', async () => {
  const [staff, buyer] = [await market.staff('moderator'), await market.user()];
  const dealer = await market.dealer({ members: [{ userId: staff.id, role: 'agent' }] });
  const car = await dealer.listing({ published: true });
  const own = [
    await reported('USER', staff.id, buyer),
    await reported('DEALER', dealer.id, buyer),
    await reported('LISTING', car.id, buyer),
  ];
  const seenBy = async (by: Caller) => (await reports('first: 100', by)).map(({ id }) => id);
  const counted = async (by: Caller) =>
    (await run('{ me { counts { openReports } } }', {}, by)).data?.me.counts.openReports;
  for (const id of own) {
    expect(await reports(`ownerId: "${staff.id}"`, staff)).toEqual([]);
    expect(await seenBy(staff)).not.toContain(id);
    for (const result of [await resolve(id, dismiss, staff), await review(id, staff)])
      expect(problemOf(result)).toMatchObject({ code: 'four_eyes', status: 403 });
  }
  expect((await counted(support)) - (await counted(staff))).toBe(own.length);
  expect((await resolve(own[0] ?? '', dismiss)).errors).toBeUndefined();
});

test('of somebody whose account is erased it goes on without him and, once it is resolved, without his words', async () => {
  const [anna, buyer] = [await market.user(), await market.user()];
  const ids = [
    await reported('USER', anna.id, buyer, { text: 'My neighbour.' }),
    await reported('USER', (await market.user()).id, buyer, { text: 'My neighbour.' }),
  ];
  await resolve(ids[0] ?? '', dismiss);
  for (const step of erasureSteps)
    await step({ platform: world.stack.platform, installationId: market.installation.id, userId: buyer.id });
  const left = await scoped(ReportModel, market.installation.id).find(
    { _id: { $in: ids } },
    { sort: { _id: 1 } },
  );
  const byId = new Map(left.map((one) => [one._id, one]));
  expect(byId.get(ids[0] ?? '')).toMatchObject({ reporterId: null, text: null, state: 'dismissed' });
  expect(byId.get(ids[1] ?? '')).toMatchObject({ reporterId: null, text: 'My neighbour.', state: 'open' });
  // Nobody is told any more, and nothing fails by it.
  expect((await resolve(ids[1] ?? '', dismiss)).errors).toBeUndefined();
});

describe('a review', () => {
  test('is one person’s, and the report stays to be resolved', async () => {
    const reportId = await reported('USER', (await market.user()).id, await market.user());
    const results = await Promise.all(
      [moderator, support, moderator, support].map((by) => review(reportId, by)),
    );
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(problemOf(await review(reportId))).toMatchObject({ code: 'invalid_transition', status: 409 });
    expect((await linesAbout(reportId)).map(({ action }) => action)).toEqual(['reviewReport']);
    expect((await resolve(reportId, dismiss)).errors).toBeUndefined();
    expect(problemOf(await review(newId('report')))).toMatchObject({ code: 'not_found', status: 404 });
  });
});

describe('a resolution', () => {
  test('tells the reporter the outcome, and the reported one nothing', async () => {
    const [anna, buyer] = [await market.user(), await market.user({ locale: 'de' })];
    const { id } = await anna.listing({ published: true });
    const reportId = await reported('LISTING', id, buyer);
    const { data } = await resolve(reportId, { ...dismiss, answer: 'It is allowed.', note: 'A regular.' });
    expect(data?.resolveReport.report).toMatchObject({
      state: 'DISMISSED',
      resolution: {
        outcome: 'DISMISSED',
        answer: 'It is allowed.',
        note: 'A regular.',
        resolvedBy: moderator.id,
      },
    });
    const [mail] = await world.stack.mailsTo(buyer.email);
    expect(mail?.text).toContain('It is allowed.');
    expect(mail?.text).toContain(reportId);
    expect(mail?.text).not.toContain('A regular.');
    expect(mail?.language).toBe('de');
    expect(await world.stack.mailsTo(anna.email)).toEqual([]);
    expect(await linesAbout(reportId)).toMatchObject([
      { action: 'resolveReport', reason: 'dismissed, A regular.' },
    ]);
  });

  test('does what it says through the same rules as its own methods, all of it or nothing', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const reportId = await reported('LISTING', id, buyer);
    const rejection = { type: 'REJECT_LISTING', targetId: id, revision: 1, reasonCodes: ['FRAUD'] };
    const suspension = { type: 'SUSPEND_USER', targetId: anna.id, reason: 'Sells what is not his.' };
    const taken = (...actions: object[]) => resolve(reportId, { outcome: 'ACTION_TAKEN', actions });
    // The second one cannot be done: the first one is not either, and the report stays open.
    const stale = await taken(suspension, { ...rejection, revision: 7 });
    expect(problemOf(stale)).toMatchObject({ code: 'revision_changed', status: 409 });
    expect(await listingOf(id)).toMatchObject({ state: 'active', openReports: 1 });
    expect(await reports(`targetId: "${id}"`)).toMatchObject([{ state: 'OPEN', version: 1 }]);
    expect((await run('{ me { state } }', {}, anna)).data?.me.state).toBe('ACTIVE');
    const { data } = await taken(rejection, suspension);
    expect(data?.resolveReport.report.resolution.actions).toEqual([
      { type: 'REJECT_LISTING', targetId: id },
      { type: 'SUSPEND_USER', targetId: anna.id },
    ]);
    expect(await listingOf(id)).toMatchObject({ state: 'rejected', openReports: 0, queuedAt: null });
    expect((await linesAbout(anna.id)).map(({ action }) => action)).toContain('suspendUser');
    expect((await linesAbout(id)).map(({ action }) => action)).toEqual(['rejectListing']);
    const subjects = (await world.stack.mailsTo(anna.email)).length;
    expect(subjects).toBe(2);
  });

  test('suspends a dealer as its own method does', async () => {
    const [dealer, buyer] = [await market.dealer(), await market.user()];
    const reportId = await reported('DEALER', dealer.id, buyer);
    const action = { type: 'SUSPEND_DEALER', targetId: dealer.id, reason: 'Fraud' };
    expect((await resolve(reportId, { outcome: 'ACTION_TAKEN', actions: [action] })).errors).toBeUndefined();
    const state = '{ dealer(dealerId: $id) { state stateReason } }';
    expect((await run(`query ($id: ID!) ${state}`, { id: dealer.id }, support)).data?.dealer).toEqual({
      state: 'SUSPENDED',
      stateReason: 'Fraud',
    });
  });

  test('blocks a file as its own method does, which nobody could delete meanwhile', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const file = newMedia({
      _id: newId('media'),
      owner: { type: 'user', id: anna.id },
      kind: 'image',
      purpose: 'avatar',
      state: 'ready',
      filename: 'me.png',
      contentType: 'image/png',
      byteSize: 9,
      sha256: '0'.repeat(64),
      createdAt: new Date(),
    });
    await scoped(MediaModel, market.installation.id).insert(file);
    const remove = () =>
      run(
        'mutation ($input: DeleteMediaInput!) { deleteMedia(input: $input) { deletedMediaId } }',
        { input: { mediaId: file._id } },
        anna,
      );
    const reportId = await reported('MEDIA', file._id, buyer);
    expect(problemOf(await remove())).toMatchObject({ code: 'legal_hold', status: 409 });
    const actions = [{ type: 'BLOCK_MEDIA', targetId: file._id, reason: 'Not his face.' }];
    expect((await resolve(reportId, { outcome: 'ACTION_TAKEN', actions })).errors).toBeUndefined();
    const stored = await scoped(MediaModel, market.installation.id).findOne({ _id: file._id });
    expect(stored).toMatchObject({ state: 'blocked', legalHolds: [], block: { reason: 'Not his face.' } });
    expect((await remove()).errors).toBeUndefined();
  });

  test('lets go of the files of a listing, which stay while it is reported', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const file = newMedia({
      _id: newId('media'),
      owner: { type: 'user', id: anna.id },
      kind: 'image',
      purpose: 'listing',
      state: 'ready',
      filename: 'car.png',
      contentType: 'image/png',
      byteSize: 9,
      createdAt: new Date(),
    });
    const files = scoped(MediaModel, market.installation.id);
    await files.insert(file);
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: id },
      { $set: { 'published.media': [{ mediaId: file._id, kind: 'image', altText: null }] } },
    );
    const reportId = await reported('LISTING', id, buyer);
    expect((await files.findOne({ _id: file._id }))?.legalHolds).toMatchObject([
      { type: 'report', id: reportId },
    ]);
    expect((await reports(`targetId: "${id}"`))[0].evidence.media).toMatchObject([{ mediaId: file._id }]);
    await resolve(reportId, dismiss);
    expect((await files.findOne({ _id: file._id }))?.legalHolds).toEqual([]);
  });

  test('needs the permission of everything that it does', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const reportId = await reported('LISTING', id, buyer);
    for (const [action, permission] of [
      [{ type: 'REJECT_LISTING', targetId: id, revision: 1, reasonCodes: ['SPAM'] }, 'listings:moderate'],
      [{ type: 'APPROVE_LISTING', targetId: id, revision: 1 }, 'listings:moderate'],
      [{ type: 'SUSPEND_USER', targetId: anna.id, reason: 'x' }, 'users:suspend'],
      [{ type: 'SUSPEND_DEALER', targetId: newId('dealer'), reason: 'x' }, 'dealers:suspend'],
      [{ type: 'BLOCK_MEDIA', targetId: newId('media') }, 'media:moderate'],
    ] as const)
      expect(
        problemOf(await resolve(reportId, { outcome: 'ACTION_TAKEN', actions: [action] }, support)),
      ).toMatchObject({
        code: 'permission_required',
        status: 403,
        requiredPermission: permission,
      });
    expect(
      (await resolve(reportId, { outcome: 'ACTION_TAKEN', note: 'Talked to him.' }, support)).errors,
    ).toBeUndefined();
  });

  test('that contradicts itself is refused with every place', async () => {
    const reportId = await reported('USER', (await market.user()).id, await market.user());
    const suspend = { type: 'SUSPEND_USER', targetId: newId('user') };
    for (const [input, pointers] of [
      [{ outcome: 'ACTION_TAKEN' }, ['#/actions']],
      [{ outcome: 'DISMISSED', actions: [{ ...suspend, reason: 'x' }] }, ['#/actions']],
      [{ outcome: 'ACTION_TAKEN', actions: [suspend] }, ['#/actions/0/reason']],
      [
        {
          outcome: 'ACTION_TAKEN',
          actions: [{ ...suspend, reason: 'x', revision: 1, reasonCodes: ['SPAM'] }],
        },
        ['#/actions/0/revision', '#/actions/0/reasonCodes'],
      ],
      [
        { outcome: 'ACTION_TAKEN', actions: Array.from({ length: 6 }, () => ({ ...suspend, reason: 'x' })) },
        ['#/actions'],
      ],
      [{ ...dismiss, answer: 'x'.repeat(2001), note: 'x'.repeat(2001) }, ['#/answer', '#/note']],
    ] as const) {
      const problem = problemOf(await resolve(reportId, input));
      expect(problem).toMatchObject({ code: 'validation_failed', status: 422 });
      expect(problem.errors.map(({ pointer }) => pointer)).toEqual(pointers);
    }
    const wordless = { type: 'SUSPEND_USER', targetId: (await market.user()).id, reason: ' ' };
    expect(
      problemOf(await resolve(reportId, { outcome: 'ACTION_TAKEN', actions: [wordless] })).errors,
    ).toMatchObject([{ pointer: '#/actions/0/reason' }]);
    expect(problemOf(await resolve(newId('report'), dismiss))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect(problemOf(await resolve(reportId, { ...dismiss, expectedVersion: 9 }))).toMatchObject({
      status: 412,
    });
  });

  test('by fifty at once is one, with one line in the audit, one action and one mail', async () => {
    const [anna, buyer] = [await market.user(), await market.user()];
    const { id } = await anna.listing({ published: true });
    const reportId = await reported('LISTING', id, buyer);
    const actions = [{ type: 'REJECT_LISTING', targetId: id, revision: 1, reasonCodes: ['FRAUD'] }];
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        resolve(reportId, index % 2 ? dismiss : { outcome: 'ACTION_TAKEN', actions }),
      ),
    );
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    for (const result of results.filter(({ errors }) => errors))
      expect(problemOf(result)).toMatchObject({ code: 'invalid_transition', status: 409 });
    expect(await linesAbout(reportId)).toHaveLength(1);
    expect(await world.stack.mailsTo(buyer.email)).toHaveLength(1);
    const isRejected = (await listingOf(id))?.state === 'rejected';
    expect(await linesAbout(id)).toHaveLength(isRejected ? 1 : 0);
    expect(await listingOf(id)).toMatchObject({ openReports: 0 });
  });

  test('with one key answers the same again', async () => {
    const reportId = await reported('USER', (await market.user()).id, await market.user());
    const key = { ...dismiss, idempotencyKey: unique('key') };
    const first = await resolve(reportId, key);
    expect(first.errors).toBeUndefined();
    expect((await resolve(reportId, key)).data).toEqual(first.data);
  });
});

describe('an appeal', () => {
  const rejected = async (by: SeededUser): Promise<{ id: string; decisionId: string }> => {
    const { id } = await by.listing({ published: true });
    const { data } = await run(
      'mutation ($input: RejectListingInput!) { rejectListing(input: $input) { listing { moderation { id } } } }',
      { input: { listingId: id, revision: 1, reasonCodes: ['MISLEADING'] } },
      moderator,
    );
    return { id, decisionId: data?.rejectListing.listing.moderation.id };
  };

  test('of the owner puts the listing into the queue, and is upheld by an approval', async () => {
    const anna = await market.user();
    const { id, decisionId } = await rejected(anna);
    const appeal = await reported('DECISION', decisionId, anna, { text: 'It is so.' });
    expect(await listingOf(id)).toMatchObject({ flags: ['appealed'], openReports: 0, openAppeals: 1 });
    const [seen] = await reports(`targetId: "${decisionId}"`);
    expect(seen).toMatchObject({
      reason: 'APPEAL',
      evidence: { listingId: id, reasonCodes: ['misleading'] },
    });
    const actions = [{ type: 'APPROVE_LISTING', targetId: id, revision: 1 }];
    expect((await resolve(appeal, { outcome: 'ACTION_TAKEN', actions })).errors).toBeUndefined();
    expect(await listingOf(id)).toMatchObject({ state: 'active', flags: [], openAppeals: 0 });
    const mails = await world.stack.mailsTo(anna.email);
    expect(mails.filter(({ subject }) => subject.includes('appeal'))).toHaveLength(1);
  });

  test('is made once, in time, by the owner alone', async () => {
    const anna = await market.user();
    const { decisionId } = await rejected(anna);
    expect(problemOf(await report('DECISION', decisionId, await market.user()))).toMatchObject({
      code: 'ownership_required',
      status: 403,
    });
    const wrong = await report('DECISION', decisionId, anna, { reason: 'FRAUD' });
    expect(problemOf(wrong).errors).toMatchObject([{ pointer: '#/reason' }]);
    const appeal = await reported('DECISION', decisionId, anna);
    await resolve(appeal, dismiss);
    expect(problemOf(await report('DECISION', decisionId, anna))).toMatchObject({ code: 'already_reported' });
    const late = await rejected(anna);
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: late.id },
      { $set: { 'moderation.appealUntil': new Date(world.stack.platform.now() - 1) } },
    );
    expect(problemOf(await report('DECISION', late.decisionId, anna)).errors).toMatchObject([
      { pointer: '#/target/id' },
    ]);
  });

  test('of a reporter is about what came of his own report, once', async () => {
    const [buyer, other] = [await market.user(), await market.user()];
    const first = await reported('USER', other.id, buyer);
    expect(problemOf(await report('DECISION', first, buyer)).errors).toMatchObject([
      { pointer: '#/target/id' },
    ]);
    await resolve(first, dismiss);
    expect(problemOf(await report('DECISION', first, other))).toMatchObject({ code: 'ownership_required' });
    const appeal = await reported('DECISION', first, buyer);
    await resolve(appeal, dismiss);
    expect(problemOf(await report('DECISION', appeal, buyer)).errors).toMatchObject([
      { pointer: '#/target/id' },
    ]);
  });
});

// The last one: nobody's sign-in is good any more afterwards.
test('a year after it was resolved a report is gone, and one that is not resolved stays', async () => {
  const buyer = await market.user();
  const done = await reported('USER', (await market.user()).id, buyer);
  const open = await reported('USER', (await market.user()).id, buyer);
  await resolve(done, dismiss);
  const left = async () => {
    const found = await scoped(ReportModel, market.installation.id).find({ _id: { $in: [done, open] } });
    return found.map(({ _id }) => _id).sort();
  };
  world.stack.advance(364 * 24 * 3_600_000);
  await world.stack.runJob('identity.report-retention');
  expect(await left()).toEqual([done, open].sort());
  world.stack.advance(2 * 24 * 3_600_000);
  await world.stack.runJob('identity.report-retention');
  expect(await left()).toEqual([open]);
});
