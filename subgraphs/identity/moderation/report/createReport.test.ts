import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { Caller, SeededUser } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { AdminReport, CreateReportInput, ReportTargetType } from '../../identity.generated.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { ReportModel, reportReasons } from './model.ts';
import { personalData } from './personalData.ts';

const { market, neighbour, stack } = product();

const moderator = perFile(() => market.staff('moderator'));
const support = perFile(() => market.staff('support'));
const anna = perTest(() => market.user());
const buyer = perTest(() => market.user());

const report = (
  type: Wire<ReportTargetType>,
  id: string,
  members: Partial<Wire<CreateReportInput>> = {},
  by = buyer,
) =>
  by.createReport({
    target: { type, id },
    reason: type === 'DECISION' ? 'APPEAL' : 'FRAUD',
    ...members,
  });
const idOf = async (answer: ReturnType<typeof report>) => (await answer).report.id;
const dismiss = (reportId: string) => moderator.resolveReport({ reportId, outcome: 'DISMISSED' });
const find = async (filter: Parameters<Caller['adminReports']>[0], by = support) =>
  (await by.adminReports(filter)).nodes as (Wire<AdminReport> & { evidence: object })[];
const listings = () => market.records(ListingModel);
const listingOf = (id: string) => listings().findOne({ _id: id });
const publish = async () => (await anna.listing({ published: true })).id;

test('a report stores a copy of its target for the staff', async () => {
  const { id } = await anna.listing({ published: true, title: 'Audi 80 Quattro' });
  const created = await report('LISTING', id, { text: ' No such car. ' });
  expect(created.report).toMatchObject({
    id: expect.stringMatching(/^rep_/),
    state: 'OPEN',
    reason: 'FRAUD',
    target: { type: 'LISTING', targetId: id },
  });
  await anna.updateListing({ listingId: id, title: 'Something harmless' });
  expect(await find({ targetId: id })).toMatchObject([
    {
      source: 'REPORT',
      ownerId: anna.id,
      text: 'No such car.',
      evidence: { title: 'Audi 80 Quattro' },
      reporter: { userId: buyer.id },
    },
  ]);
});

test('a report queues its listing for moderation without a change that the owner sees', async () => {
  const id = await publish();
  const before = await listingOf(id);
  const reportId = await idOf(report('LISTING', id));
  const queued = await moderator.adminListings({ flag: ['REPORTED'] }, 'nodes { id openReports flags }');
  expect(queued.nodes).toContainEqual({ id, openReports: 1, flags: ['REPORTED'] });
  const { version, updatedAt } = before ?? {};
  expect(await listingOf(id)).toMatchObject({ version, updatedAt });
  await dismiss(reportId);
  expect(await listingOf(id)).toMatchObject({ openReports: 0, flags: [], queuedAt: null });
});

test('dealers, users and files can be reported', async () => {
  const { id: dealerId } = await market.dealer();
  const file = await storeMedia(
    market.installation.id,
    { type: 'dealer', id: dealerId },
    { purpose: 'logo' },
  );
  for (const [type, id, ownerId] of [
    ['DEALER', dealerId, dealerId],
    ['USER', anna.id, anna.id],
    ['MEDIA', file, dealerId],
  ] as const) {
    expect(await report(type, id)).not.toBeRefused();
    expect(await find({ targetId: id })).toMatchObject([{ ownerId, target: { type, targetId: id } }]);
  }
});

test.each(reportReasons)('a report with the reason %s is accepted unless it is an appeal', async (name) => {
  const reason = name.toUpperCase() as Wire<CreateReportInput>['reason'];
  const answer = await report('USER', anna.id, { reason });
  if (reason === 'APPEAL') expect(answer).toBeInvalid('#/reason');
  else expect(answer).not.toBeRefused();
});

test('private targets, unknown targets and those of other installations are refused with the same error', async () => {
  const elsewhere = await (await neighbour()).user();
  const own = { type: 'user', id: anna.id } as const;
  const secret = await storeMedia(market.installation.id, own, { purpose: 'verification' });
  const refusals = [
    await report('LISTING', (await anna.listing()).id),
    await report('LISTING', (await elsewhere.listing({ published: true })).id),
    await report('LISTING', newId('listing')),
    await report('LISTING', 'x'),
    await report('DEALER', (await market.dealer({ state: 'onboarding' })).id),
    await report('USER', elsewhere.id),
    await report('MEDIA', secret),
    await report('DECISION', newId('decision')),
    await report('DECISION', newId('report')),
  ];
  const detail = 'The reported object does not exist.';
  for (const refusal of refusals) expect(refusal).toBeRefused(404, 'not_found', { detail });
});

test('a report of an own target or with an invalid text is refused', async () => {
  const id = await publish();
  const { id: dealerId } = await market.dealer({ owner: anna });
  expect(await report('LISTING', id, {}, anna)).toBeInvalid('#/target/id');
  expect(await report('DEALER', dealerId, {}, anna)).toBeInvalid('#/target/id');
  expect(await report('USER', anna.id, {}, anna)).toBeInvalid('#/target/id');
  for (const text of ['x'.repeat(2001), 'a\u0000b'])
    expect(await report('LISTING', id, { text })).toBeInvalid('#/text');
});

test('a user can have one open report about a target, also for concurrent requests', async () => {
  const id = await publish();
  const results = await concurrently(20, () => report('LISTING', id));
  const [created, ...others] = results.filter((result) => !isRefused(result));
  expect(others).toEqual([]);
  for (const refused of results.filter(isRefused)) expect(refused).toBeRefused(409, 'already_reported');
  expect(await listingOf(id)).toMatchObject({ openReports: 1 });
  await dismiss(created?.report.id ?? '');
  expect(await report('LISTING', id)).not.toBeRefused();
});

test('concurrent reports of different users about a listing are all counted', async () => {
  const id = await publish();
  const people = await concurrently(12, () => market.user());
  await Promise.all(people.map((by) => report('LISTING', id, {}, by)));
  expect(await listingOf(id)).toMatchObject({ openReports: 12 });
});

test('a user reads the outcome of own reports, in descending order of creation', async () => {
  const first = await idOf(report('USER', anna.id));
  const second = await idOf(report('USER', (await market.user()).id));
  await dismiss(first);
  const { nodes } = await buyer.myReports({}, 'nodes { id state reason }');
  expect(nodes).toEqual([
    { id: second, state: 'OPEN', reason: 'FRAUD' },
    { id: first, state: 'DISMISSED', reason: 'FRAUD' },
  ]);
  expect((await anna.myReports()).nodes).toEqual([]);
});

test('the staff reads unresolved reports in ascending order of creation, and can filter them', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await idOf(report('LISTING', await publish())));
  const of = { ownerId: anna.id };
  expect((await find(of)).map(({ id }) => id)).toEqual(ids);
  await dismiss(ids[0] ?? '');
  expect(await find(of)).toHaveLength(2);
  expect(await find({ ...of, state: ['DISMISSED'] })).toMatchObject([{ id: ids[0] }]);
  expect(await find({ ...of, reason: 'SPAM' })).toEqual([]);
  expect(await find({ ...of, targetType: 'USER' })).toEqual([]);
});

test('open reports are counted for the staff that manages them', async () => {
  const count = async (by: Caller) => (await by.me({}, 'counts { openReports }')).counts?.openReports;
  const before = (await count(support)) ?? 0;
  await report('USER', anna.id);
  expect(await count(support)).toBe(before + 1);
  expect(await count(anna)).toBeNull();
});

test('a staff member can neither read nor resolve reports about themselves and their dealer', async () => {
  const staff = await market.staff('moderator');
  const dealer = await market.dealer({ members: [{ userId: staff.id, role: 'agent' }] });
  const car = await dealer.listing({ published: true });
  const ids = [
    await idOf(report('USER', staff.id)),
    await idOf(report('DEALER', dealer.id)),
    await idOf(report('LISTING', car.id)),
  ];
  expect(await find({ ownerId: staff.id }, staff)).toEqual([]);
  const seen = (await find({ first: 100 }, staff)).map(({ id }) => id);
  for (const reportId of ids) {
    expect(seen).not.toContain(reportId);
    expect(await staff.resolveReport({ reportId, outcome: 'DISMISSED' })).toBeRefused(403, 'four_eyes');
    expect(await staff.reviewReport({ reportId })).toBeRefused(403, 'four_eyes');
  }
  const count = async (by: Caller) => (await by.me({}, 'counts { openReports }')).counts?.openReports ?? 0;
  expect((await count(support)) - (await count(staff))).toBe(ids.length);
  expect(await dismiss(ids[0] ?? '')).not.toBeRefused();
});

test('the erasure of a reporter keeps the reports, and deletes the texts of resolved ones', async () => {
  const text = 'My neighbour.';
  const resolved = await idOf(report('USER', anna.id, { text }));
  const open = await idOf(report('USER', (await market.user()).id, { text }));
  await dismiss(resolved);
  const erased = { platform: stack.platform, installationId: market.installation.id, userId: buyer.id };
  await personalData.erase?.(erased);
  const stored = (_id: string) => market.records(ReportModel).findOne({ _id });
  expect(await stored(resolved)).toMatchObject({ reporterId: null, text: null, state: 'dismissed' });
  expect(await stored(open)).toMatchObject({ reporterId: null, text, state: 'open' });
  expect(await dismiss(open)).not.toBeRefused();
});

describe('an appeal', () => {
  const reject = async () => {
    const id = await publish();
    const rejection = { listingId: id, revision: 1, reasonCodes: ['MISLEADING' as const] };
    const { listing } = await moderator.rejectListing(rejection, 'listing { moderation { id } }');
    return { id, decisionId: listing.moderation?.id ?? '' };
  };
  const appeal = (id: string, by: SeededUser, members: Partial<Wire<CreateReportInput>> = {}) =>
    report('DECISION', id, members, by);

  test('an appeal of the owner queues the listing and is upheld by an approval', async () => {
    const { id, decisionId } = await reject();
    const reportId = await idOf(appeal(decisionId, anna, { text: 'It is so.' }));
    expect(await listingOf(id)).toMatchObject({ flags: ['appealed'], openReports: 0, openAppeals: 1 });
    const evidence = { listingId: id, reasonCodes: ['misleading'] };
    expect(await find({ targetId: decisionId })).toMatchObject([{ reason: 'APPEAL', evidence }]);
    const actions = [{ type: 'APPROVE_LISTING' as const, targetId: id, revision: 1 }];
    await moderator.resolveReport({ reportId, outcome: 'ACTION_TAKEN', actions });
    expect(await listingOf(id)).toMatchObject({ state: 'active', flags: [], openAppeals: 0 });
    const mails = await stack.mailsTo(anna.email);
    expect(mails.filter(({ subject }) => subject.includes('appeal'))).toHaveLength(1);
  });

  test('an appeal against a rejection is accepted from the owner once and within its time limit', async () => {
    const { decisionId } = await reject();
    expect(await appeal(decisionId, buyer)).toBeRefused(403, 'ownership_required');
    expect(await appeal(decisionId, anna, { reason: 'FRAUD' })).toBeInvalid('#/reason');
    await dismiss(await idOf(appeal(decisionId, anna)));
    expect(await appeal(decisionId, anna)).toBeRefused(409, 'already_reported');
    const late = await reject();
    const $set = { 'moderation.appealUntil': new Date(stack.platform.now() - 1) };
    await listings().findOneAndUpdate({ _id: late.id }, { $set });
    expect(await appeal(late.decisionId, anna)).toBeInvalid('#/target/id');
  });

  test('an appeal against a resolution is accepted from the reporter once', async () => {
    const first = await idOf(report('USER', anna.id));
    expect(await appeal(first, buyer)).toBeInvalid('#/target/id');
    await dismiss(first);
    expect(await appeal(first, anna)).toBeRefused(403, 'ownership_required');
    const second = await idOf(appeal(first, buyer));
    await dismiss(second);
    expect(await appeal(second, buyer)).toBeInvalid('#/target/id');
  });
});

// The last test, because it moves the clock.
test('a resolved report is deleted after a year, and an open one is kept', async () => {
  const dayMs = 24 * 3_600_000;
  const resolved = await idOf(report('USER', anna.id));
  const open = await idOf(report('USER', (await market.user()).id));
  await dismiss(resolved);
  const listIds = async () => {
    const filter = { _id: { $in: [resolved, open] } };
    const found = await market.records(ReportModel).find(filter, { sort: { createdAt: 1 } });
    return found.map(({ _id }) => _id);
  };
  stack.advance(364 * dayMs);
  await stack.runJob('identity.report-retention');
  expect(await listIds()).toEqual([resolved, open]);
  stack.advance(2 * dayMs);
  await stack.runJob('identity.report-retention');
  expect(await listIds()).toEqual([open]);
});
