import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { ReportActionInput, ReportTargetType, ResolveReportInput } from '../../identity.generated.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { MediaModel } from '../../media/model.ts';

const { market, stack } = product();

const moderator = perFile(() => market.staff('moderator'));
const support = perFile(() => market.staff('support'));
const anna = perTest(() => market.user());
const buyer = perTest(() => market.user({ locale: 'de' }));

/** The buyer reports a target. Returns the id of the report. */
const report = async (type: Wire<ReportTargetType>, id: string) =>
  (await buyer.createReport({ target: { type, id }, reason: 'FRAUD' }, 'report { id }')).report.id;
/** Creates a published listing of Anna and a report about it. */
const reportListing = async () => {
  const { id } = await anna.listing({ published: true });
  return { id, reportId: await report('LISTING', id) };
};
const resolve = (reportId: string, members: Partial<Wire<ResolveReportInput>> = {}, by = moderator) =>
  by.resolveReport({ reportId, outcome: 'DISMISSED', ...members });
const act = (reportId: string, actions: Wire<ReportActionInput>[], by = moderator) =>
  resolve(reportId, { outcome: 'ACTION_TAKEN', actions }, by);
const rejection = (targetId: string, revision = 1): Wire<ReportActionInput> => ({
  type: 'REJECT_LISTING',
  targetId,
  revision,
  reasonCodes: ['FRAUD'],
});
const listings = () => market.records(ListingModel);
const listingOf = (id: string) => listings().findOne({ _id: id });
const fileOf = (_id: string) => market.records(MediaModel).findOne({ _id });
const audits = (id: string) => market.audits({ 'target.id': id, result: 'allowed' });

test('one of several concurrent reviews succeeds, and the report can still be resolved', async () => {
  const reportId = await report('USER', anna.id);
  const reviewers = [moderator, support, moderator, support];
  expect(await Promise.all(reviewers.map((by) => by.reviewReport({ reportId })))).toBeRefusedTimes(3);
  expect(await moderator.reviewReport({ reportId })).toBeRefused(409, 'invalid_transition');
  expect((await audits(reportId)).map(({ action }) => action)).toEqual(['reviewReport']);
  expect(await resolve(reportId)).not.toBeRefused();
});

test('the dismissal of a report is mailed to the reporter without the note, and not to the reported user', async () => {
  const { reportId } = await reportListing();
  const resolution = { outcome: 'DISMISSED', answer: 'It is allowed.', note: 'A regular.' } as const;
  expect((await resolve(reportId, resolution)).report).toMatchObject({
    state: 'DISMISSED',
    resolution: { ...resolution, resolvedBy: moderator.id },
  });
  const [mail] = await stack.mailsTo(buyer.email);
  expect(mail?.text).toContain('It is allowed.');
  expect(mail?.text).toContain(reportId);
  expect(mail?.text).not.toContain('A regular.');
  expect(mail?.language).toBe('de');
  expect(await stack.mailsTo(anna.email)).toEqual([]);
  const reason = 'dismissed, A regular.';
  expect(await audits(reportId)).toMatchObject([{ action: 'resolveReport', reason }]);
});

test('the actions of a resolution are all applied, or none if one is refused', async () => {
  const { id, reportId } = await reportListing();
  const suspension = { type: 'SUSPEND_USER', targetId: anna.id, reason: 'Sells stolen cars.' } as const;
  const stale = await act(reportId, [suspension, rejection(id, 7)]);
  expect(stale).toBeRefused(409, 'revision_changed');
  expect(await listingOf(id)).toMatchObject({ state: 'active', openReports: 1 });
  const { nodes } = await support.adminReports({ targetId: id });
  expect(nodes).toMatchObject([{ state: 'OPEN', version: 1 }]);
  expect(await anna.me()).toMatchObject({ state: 'ACTIVE' });
  const done = await act(reportId, [rejection(id), suspension]);
  expect(done.report.resolution?.actions).toEqual([
    { type: 'REJECT_LISTING', targetId: id },
    { type: 'SUSPEND_USER', targetId: anna.id },
  ]);
  expect(await listingOf(id)).toMatchObject({ state: 'rejected', openReports: 0, queuedAt: null });
  expect((await audits(anna.id)).map(({ action }) => action)).toContain('suspendUser');
  expect((await audits(id)).map(({ action }) => action)).toEqual(['rejectListing']);
  expect(await stack.mailsTo(anna.email)).toHaveLength(2);
});

test('a resolution can suspend a dealer', async () => {
  const { id } = await market.dealer();
  const reportId = await report('DEALER', id);
  await act(reportId, [{ type: 'SUSPEND_DEALER', targetId: id, reason: 'Fraud' }]);
  const suspended = { state: 'SUSPENDED', stateReason: 'Fraud' };
  expect(await support.dealer({ dealerId: id })).toMatchObject(suspended);
});

test('a reported file cannot be deleted until a resolution blocks it', async () => {
  const owner = { type: 'user', id: anna.id } as const;
  const mediaId = await storeMedia(market.installation.id, owner, { purpose: 'avatar' });
  const reportId = await report('MEDIA', mediaId);
  expect(await anna.deleteMedia({ mediaId })).toBeRefused(409, 'legal_hold');
  const reason = 'Another face.';
  await act(reportId, [{ type: 'BLOCK_MEDIA', targetId: mediaId, reason }]);
  expect(await fileOf(mediaId)).toMatchObject({ state: 'blocked', legalHolds: [], block: { reason } });
  expect(await anna.deleteMedia({ mediaId })).not.toBeRefused();
});

test('files of a reported listing are under a legal hold until the resolution', async () => {
  const { id } = await anna.listing({ published: true });
  const mediaId = await storeMedia(market.installation.id, { type: 'user', id: anna.id });
  const media = [{ mediaId, kind: 'image' as const, altText: null }];
  await listings().findOneAndUpdate({ _id: id }, { $set: { 'published.media': media } });
  const reportId = await report('LISTING', id);
  expect(await fileOf(mediaId)).toMatchObject({ legalHolds: [{ type: 'report', id: reportId }] });
  const { nodes } = await support.adminReports({ targetId: id });
  expect(nodes).toMatchObject([{ evidence: { media: [{ mediaId }] } }]);
  await resolve(reportId);
  expect(await fileOf(mediaId)).toMatchObject({ legalHolds: [] });
});

test('every action of a resolution requires its own permission', async () => {
  const { id, reportId } = await reportListing();
  const reason = 'x';
  const permissions: [Wire<ReportActionInput>, string][] = [
    [rejection(id), 'listings:moderate'],
    [{ type: 'APPROVE_LISTING', targetId: id, revision: 1 }, 'listings:moderate'],
    [{ type: 'SUSPEND_USER', targetId: anna.id, reason }, 'users:suspend'],
    [{ type: 'SUSPEND_DEALER', targetId: newId('dealer'), reason }, 'dealers:suspend'],
    [{ type: 'BLOCK_MEDIA', targetId: newId('media') }, 'media:moderate'],
  ];
  for (const [action, requiredPermission] of permissions)
    expect(await act(reportId, [action], support)).toBeRefused(403, 'permission_required', {
      requiredPermission,
    });
  const talked = { outcome: 'ACTION_TAKEN', note: 'Talked to the seller.' } as const;
  expect(await resolve(reportId, talked, support)).not.toBeRefused();
});

const suspend: Wire<ReportActionInput> = { type: 'SUSPEND_USER', targetId: newId('user') };
const sixTimes = (action: Wire<ReportActionInput>) => Array.from({ length: 6 }, () => action);
const outcome = 'ACTION_TAKEN';
test.each<[string, Partial<Wire<ResolveReportInput>>, string[]]>([
  ['neither an action nor a note', { outcome }, ['#/actions']],
  ['an action for a dismissal', { actions: [{ ...suspend, reason: 'x' }] }, ['#/actions']],
  ['a suspension without a reason', { outcome, actions: [suspend] }, ['#/actions/0/reason']],
  [
    'members of another action',
    { outcome, actions: [{ ...suspend, reason: 'x', revision: 1, reasonCodes: ['SPAM'] }] },
    ['#/actions/0/revision', '#/actions/0/reasonCodes'],
  ],
  ['six actions', { outcome, actions: sixTimes({ ...suspend, reason: 'x' }) }, ['#/actions']],
  ['long texts', { answer: 'x'.repeat(2001), note: 'x'.repeat(2001) }, ['#/answer', '#/note']],
])('a resolution with %s is refused', async (_, members, pointers) => {
  const reportId = await report('USER', anna.id);
  expect(await resolve(reportId, members)).toBeInvalid(...pointers);
});

test('a suspension with a blank reason is refused', async () => {
  const reportId = await report('USER', anna.id);
  const answer = await act(reportId, [{ type: 'SUSPEND_USER', targetId: anna.id, reason: ' ' }]);
  expect(answer).toBeInvalid('#/actions/0/reason');
});

test('one of twenty concurrent resolutions succeeds, with one audit entry, one action and one mail', async () => {
  const { id, reportId } = await reportListing();
  const results = await concurrently(20, (n) => (n % 2 ? resolve(reportId) : act(reportId, [rejection(id)])));
  expect(results).toBeRefusedTimes(19, 409, 'invalid_transition');
  expect(await audits(reportId)).toHaveLength(1);
  expect(await stack.mailsTo(buyer.email)).toHaveLength(1);
  const listing = await listingOf(id);
  expect(listing).toMatchObject({ openReports: 0 });
  expect(await audits(id)).toHaveLength(listing?.state === 'rejected' ? 1 : 0);
});
