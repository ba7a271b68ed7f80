import { indexesOf } from '../../../test/support/indexesOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { EventModel } from '../../platform/events/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { SnapshotModel } from '../snapshot/model.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

let audits: Audits;
beforeAll(async () => {
  audits = await openAudits();
});
afterAll(() => audits.stack.close());
afterEach(() => audits.setDown(false));

const many = (count: number) => Array.from({ length: count }, () => audits.put());
const states = (items: { state: string }[]) => items.map(({ state }) => state);
const codes = (rejections: { code: string }[]) => rejections.map(({ code }) => code);

test('a batch analyses the texts as they are now, stores the analyses and says what came of each item', async () => {
  const objects = many(2);
  const job = await audits.startFresh(objects);
  audits.put({ ...objects[1], contentVersion: 2, html: '<p>A text of another version.</p>' });
  const { processed, notProcessed, done, aiUsed, job: after } = await audits.ran(job.id, job.nextItemIds);
  expect(states(processed)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  expect([notProcessed, done, aiUsed]).toEqual([[], true, false]);
  expect(processed[0]).toMatchObject({
    attempts: 1,
    retryable: false,
    reason: null,
    snapshot: { source: 'AUDIT_JOB' },
    contentVersionAtStart: '1',
    contentVersionAnalysed: '1',
  });
  expect(processed[1]).toMatchObject({ contentVersionAtStart: '1', contentVersionAnalysed: '2' });
  expect(after).toMatchObject({ state: 'COMPLETED', progress: 1, nextItemIds: [] });
  const snapshot = await scoped(SnapshotModel, audits.stack.demo.id).findOne({
    _id: processed[0].snapshot.id,
  });
  expect(snapshot?.scores.seo.value).toBe(processed[0].score);
});

test('a job is worked off by what it names next, and its counts always add up', async () => {
  let job = await audits.startFresh(many(12));
  const progress: number[] = [];
  while (job.nextItemIds.length > 0) {
    ({ job } = await audits.ran(job.id, job.nextItemIds));
    const { total, ...each } = job.counts;
    expect(Object.values<number>(each).reduce((sum, count) => sum + count)).toBe(total);
    progress.push(job.progress);
  }
  expect(progress).toEqual([5 / 12, 10 / 12, 1]);
  expect(job.state).toBe('COMPLETED');
});

test('more than five items are refused, whatever they are, and nothing is processed', async () => {
  const job = await audits.startFresh(many(6));
  const { nodes } = (await audits.items(job.id)).data!.seoAuditItems;
  const six = nodes.map(({ id }: { id: string }) => id);
  for (const itemIds of [
    six,
    Array.from({ length: 300 }, () => 'x'),
    Array.from({ length: 6 }, () => six[0]),
  ])
    expect(problemOf(await audits.batch({ jobId: job.id, itemIds }))).toMatchObject({
      status: 400,
      code: 'seo_batch_too_large',
    });
  expect(await audits.stored.count({ jobId: job.id, state: 'queued', attempts: 0 })).toBe(6);
});

test('no items, items that are named twice and items of another job are refused, and nothing is processed', async () => {
  const other = await audits.startFresh(many(1));
  const job = await audits.startFresh(many(2));
  const [first] = job.nextItemIds;
  const refused = async (itemIds: string[]) => problemOf(await audits.batch({ jobId: job.id, itemIds }));
  expect(await refused([])).toMatchObject({ status: 422, errors: [{ pointer: '#/itemIds' }] });
  expect(await refused([first, first])).toMatchObject({ status: 422, errors: [{ pointer: '#/itemIds/1' }] });
  for (const strange of [newId('auditItem'), 'x', other.nextItemIds[0]])
    expect(await refused([first, strange])).toMatchObject({
      status: 422,
      code: 'seo_item_not_in_job',
      errors: [{ pointer: '#/itemIds/1', code: 'seo_item_not_in_job' }],
    });
  expect(await audits.stored.count({ jobId: job.id, state: 'queued', attempts: 0 })).toBe(2);
});

test('what is wrong with an item is its result, and the others are analysed', async () => {
  const [gone, german, empty, hidden, fine] = [
    audits.put(),
    audits.put(),
    audits.put(),
    audits.put(),
    audits.put(),
  ];
  const job = await audits.startFresh([gone, german, empty, hidden, fine]);
  audits.neighbour.remove(gone.id);
  audits.put({ ...german, languageTag: 'de' });
  audits.put({ ...empty, html: ' ' });
  await audits.jobs.updateMany({ _id: job.id }, { $set: { visibilities: ['PUBLIC'] } });
  audits.put({ ...hidden, visibility: 'PRIVATE' });
  const { processed, job: after } = await audits.ran(job.id, job.nextItemIds);
  expect(processed.map((item: any) => item.reason?.code ?? item.state)).toEqual([
    'content_deleted',
    'content_not_in_language',
    'content_empty',
    'content_unpublished_scope',
    'SUCCEEDED',
  ]);
  expect(after).toMatchObject({ state: 'COMPLETED', counts: { skipped: 4, succeeded: 1, failed: 0 } });
});

test('an item that fails leaves the job with errors, and says whether a retry may help', async () => {
  const [long, fine] = [audits.put(), audits.put()];
  const job = await audits.startFresh([long, fine]);
  audits.put({ ...long, html: `<p>${'a '.repeat(60_001)}</p>` });
  const { processed, job: after } = await audits.ran(job.id, job.nextItemIds);
  expect(processed[0]).toMatchObject({
    state: 'FAILED',
    reason: { code: 'content_too_large' },
    retryable: false,
  });
  expect(after).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', counts: { failed: 1, succeeded: 1 } });
});

test('items whose owner cannot be asked fail for now and can be retried', async () => {
  const job = await audits.startFresh(many(2));
  audits.setDown(true);
  const { processed, job: after } = await audits.ran(job.id, job.nextItemIds);
  audits.setDown(false);
  expect(processed).toMatchObject([
    { state: 'FAILED', retryable: true, reason: { code: 'content_source_unavailable' } },
    { state: 'FAILED', retryable: true, reason: { code: 'content_source_unavailable' } },
  ]);
  expect(after.state).toBe('COMPLETED_WITH_ERRORS');
  const again = (await audits.retry({ jobId: job.id })).data?.retrySeoAudit.job;
  expect(again).toMatchObject({ state: 'RUNNING', round: 2, counts: { queued: 2, failed: 0 } });
  const { job: end, processed: second } = await audits.ran(job.id, again.nextItemIds);
  expect(second).toMatchObject([{ attempts: 2 }, { attempts: 2 }]);
  expect(end.state).toBe('COMPLETED');
});

test('a job keeps its ruleset; without it an item fails for good', async () => {
  const job = await audits.startFresh(many(1));
  await audits.jobs.updateMany({ _id: job.id }, { $set: { ruleset: '1999.1' } });
  const { processed } = await audits.ran(job.id, job.nextItemIds);
  expect(processed).toMatchObject([
    { state: 'FAILED', reason: { code: 'ruleset_gone' }, retryable: false, attempts: 1 },
  ]);
});

test('items that were dealt with come back with their result, and those that others hold are named', async () => {
  const job = await audits.startFresh(many(3));
  const [done, held, free] = job.nextItemIds;
  const first = await audits.ran(job.id, [done]);
  await audits.stored.updateMany(
    { _id: held },
    { $set: { state: 'processing', leaseToken: 'other', leaseUntil: new Date(Date.now() + 60_000) } },
  );
  const { processed, notProcessed, job: after } = await audits.ran(job.id, [done, held, free]);
  expect(processed.map(({ id }: { id: string }) => id)).toEqual([free]);
  expect(codes(notProcessed)).toEqual(['already_done', 'leased_elsewhere']);
  expect(notProcessed[0].item).toEqual(first.processed[0]);
  expect(after).toMatchObject({ state: 'RUNNING', nextItemIds: [], counts: { processing: 1 } });
});

test('an item whose batch vanished is free again when its lease is over, and fails with the third batch', async () => {
  const job = await audits.startFresh(many(1));
  const [id] = job.nextItemIds;
  const vanish = (lostLeases: number) =>
    audits.stored.updateMany(
      { _id: id },
      {
        $set: {
          state: 'processing',
          lostLeases,
          leaseToken: 'gone',
          leaseUntil: new Date(Date.now() - 1000),
        },
      },
    );
  await vanish(1);
  expect((await audits.read(job.id)).data?.seoAuditJob.nextItemIds).toEqual([id]);
  const second = await audits.ran(job.id, [id]);
  expect(second.processed).toMatchObject([{ state: 'SUCCEEDED' }]);
  expect((await audits.stored.findOne({ _id: id }))?.lostLeases).toBe(2);

  const next = await audits.startFresh(many(1));
  await audits.stored.updateMany(
    { jobId: next.id },
    { $set: { state: 'processing', lostLeases: 2, leaseToken: 'gone', leaseUntil: new Date(0) } },
  );
  await audits.jobs.updateMany({ _id: next.id }, { $set: { state: 'running' } });
  const { notProcessed, job: after } = await audits.ran(next.id, next.nextItemIds);
  expect(notProcessed).toMatchObject([
    { code: 'already_done', item: { state: 'FAILED', reason: { code: 'worker_lost' } } },
  ]);
  expect(after.state).toBe('COMPLETED_WITH_ERRORS');
});

test.each([
  ['cancelled', 'seo_job_cancelled'],
  ['expired', 'seo_job_expired'],
  ['completed', 'seo_job_finished'],
  ['completed_with_errors', 'seo_job_finished'],
] as const)('a job that is %s takes no batch: %s', async (state, code) => {
  const job = await audits.startFresh(many(1));
  await audits.jobs.updateMany({ _id: job.id }, { $set: { state }, $unset: { active: 1, slot: 1 } });
  expect(problemOf(await audits.batch({ jobId: job.id, itemIds: job.nextItemIds }))).toMatchObject({
    status: 409,
    code,
  });
  expect(await audits.stored.count({ jobId: job.id, attempts: 0 })).toBe(1);
});

test('a batch is its initiator’s', async () => {
  const job = await audits.startFresh(many(1));
  const colleague = await audits.administrator();
  const editor = await audits.stack.signIn({ roles: ['editor'] });
  const input = { jobId: job.id, itemIds: job.nextItemIds };
  expect(problemOf(await audits.batch(input, colleague)).code).toBe('ownership_required');
  expect(problemOf(await audits.batch(input, editor)).code).toBe('permission_required');
  expect(problemOf(await audits.batch({ ...input, jobId: newId('auditJob') })).code).toBe('not_found');
});

test('a repeated key answers the batch as it was', async () => {
  const job = await audits.startFresh(many(6));
  const input = { jobId: job.id, itemIds: job.nextItemIds.slice(0, 2), idempotencyKey: newId('session') };
  const first = (await audits.batch(input)).data?.runSeoAuditBatch;
  await audits.ran(job.id, job.nextItemIds.slice(2));
  expect((await audits.batch(input)).data?.runSeoAuditBatch).toEqual(first);
});

test('a second analysis of the same text, fields and ruleset is not stored again', async () => {
  const objects = many(1);
  const once = await audits.startFresh(objects);
  const first = await audits.ran(once.id, once.nextItemIds);
  const twice = await audits.startFresh(objects);
  const second = await audits.ran(twice.id, twice.nextItemIds);
  expect(second.processed[0].snapshot.id).toBe(first.processed[0].snapshot.id);
});

test('a batch of five asks their owner once, and costs a known number of commands', async () => {
  const job = await audits.startFresh(many(10));
  const before = audits.neighbour.questions;
  const { result, commands } = await countCommands(() => audits.ran(job.id, job.nextItemIds));
  expect(result.processed).toHaveLength(5);
  expect(audits.neighbour.questions).toBe(before + 1);
  const own = commands.filter((name) => name.includes(' seo_'));
  // One of an item, its claim; all the rest is of the batch: the job (three times), its items, records (looked for, made),
  // others with these titles (stated, named), the analyses, the records' newest, results, counts, what is next,
  // and the analyses that the answer shows.
  expect(own.length).toBeLessThanOrEqual(5 + 15);
});

test('what a batch reads of jobs and items is read through an index', async () => {
  const job = await audits.startFresh(many(2));
  const plans = await indexesOf(() => audits.ran(job.id, job.nextItemIds.slice(0, 1)));
  const own = plans.filter(({ command }) => command.includes('seo_audit'));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test('a report counts scores and verdicts, the frequent issues first, and only checks that were asked for', async () => {
  const job = await audits.startFresh(many(3), audits.boss, { checks: ['images.present'] });
  await audits.ran(job.id, job.nextItemIds);
  const { data } = await audits.ask(
    `query ($jobId: ID!) { seoAuditReport(jobId: $jobId) {
      job { summary { averageScore ratings topIssues { checkId bad ok } } }
      items { nodes { objectId score rating } } } }`,
    { jobId: job.id },
  );
  const { job: reported, items } = data!.seoAuditReport;
  const [{ score, rating }] = items.nodes;
  expect(reported.summary).toEqual({
    averageScore: score,
    ratings: { [rating.toLowerCase()]: 3 },
    topIssues: [{ checkId: 'images.present', bad: 3, ok: 0 }],
  });
});

test('an item that is taken away while it is analysed keeps what came of it since, and the others are stored', async () => {
  const job = await audits.startFresh(many(3));
  const [, taken] = job.nextItemIds;
  const long = `<p>${'A tyre for winter roads that was tested by many drivers on snow. '.repeat(400)}</p>`;
  for (const { objectId } of await audits.stored.find({ jobId: job.id }))
    audits.put({ id: objectId, contentVersion: 2, html: long });
  const batch = audits.ran(job.id, job.nextItemIds);
  for (let held = 0; held < 3; )
    held = (await audits.stored.find({ jobId: job.id, state: 'processing' })).length;
  await audits.stored.updateMany({ _id: taken, state: 'processing' }, { $set: { leaseToken: 'another' } });
  const { processed, notProcessed } = await batch;
  expect(processed.map(({ id }: { id: string }) => id)).toEqual(
    job.nextItemIds.filter((id: string) => id !== taken),
  );
  expect(notProcessed).toMatchObject([{ itemId: taken, code: 'lease_lost' }]);
  expect(await audits.stored.findOne({ _id: taken })).toMatchObject({
    state: 'processing',
    leaseToken: 'another',
    snapshotId: null,
  });
});

test('others are told that a job was finished, with what came of it', async () => {
  const job = await audits.startFresh(many(2));
  await audits.ran(job.id, job.nextItemIds);
  await audits.stack.runJob('seo.relay');
  const told = await EventModel.find({ 'object.id': job.id }).sort({ position: 1 }).lean();
  expect(told.map(({ type }) => type)).toEqual(['seo.audit_job.started', 'seo.audit_job.finished']);
  expect(told[1]?.payload).toMatchObject({ state: 'completed', succeeded: 2, failed: 0, skipped: 0 });
});
