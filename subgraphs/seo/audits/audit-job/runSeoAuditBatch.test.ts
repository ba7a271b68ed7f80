import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { SnapshotModel } from '../../analysis/snapshot/model.ts';
import { createPages } from '../../fixture/createPage.ts';
import { auditShop } from './fixture/auditShop.ts';

const world = product();
const { shop, boss, jobs, items, itemIds, putItem: put } = auditShop(world);

const run = (jobId: string, itemIds: readonly string[]) => boss.runSeoAuditBatch({ jobId, itemIds });

/** A job of new pages; answers what its batches need. */
async function start(count: number, input: object = {}) {
  const pages = await createPages(boss, count);
  const { job } = await boss.startSeoAudit({ items: pages, ...input });
  return { jobId: job.id, ids: await itemIds(job.id), pages, job };
}

test('a batch analyses the present texts, stores the analyses and answers each outcome', async () => {
  const { jobId, ids, pages } = await start(2);
  await boss.updatePage({ pageId: pages[1]!.id, html: '<p>A text of another version.</p>' });
  const { processed, notProcessed, done, aiUsed, job } = await run(jobId, ids);
  expect([notProcessed, done, aiUsed]).toEqual([[], true, false]);
  const analysed = { state: 'SUCCEEDED', attempts: 1, retryable: false, reason: null };
  expect(processed).toMatchObject([
    { ...analysed, contentVersionAtStart: '1', contentVersionAnalysed: '1' },
    { ...analysed, contentVersionAtStart: '1', contentVersionAnalysed: '2' },
  ]);
  expect(job).toMatchObject({ state: 'COMPLETED', progress: 1, nextItemIds: [] });
  const latest = await boss.seoLatestAnalysis({ object: pages[0] });
  expect(latest).toMatchObject({ id: processed[0]?.snapshot?.id, source: 'AUDIT_JOB' });
  expect(latest.scores.seo.value).toBe(processed[0]?.score);
});

test('batches of the next items complete a job, and its counts always add up', async () => {
  const { jobId, job } = await start(12);
  const progress: number[] = [];
  for (let itemIds = job.nextItemIds; itemIds.length > 0; ) {
    const { job: now } = await run(jobId, itemIds);
    const { total, queued, processing, succeeded, failed, skipped, cancelled } = now.counts;
    expect(queued + processing + succeeded + failed + skipped + cancelled).toBe(total);
    progress.push(now.progress);
    itemIds = now.nextItemIds;
  }
  expect(progress).toEqual([5 / 12, 10 / 12, 1]);
  expect((await boss.seoAuditJob({ jobId })).state).toBe('COMPLETED');
});

test('a batch of too many, no, repeated or foreign items is refused and processes nothing', async () => {
  const other = await start(1);
  await boss.cancelSeoAudit({ jobId: other.jobId });
  const { jobId, ids } = await start(6);
  const [first] = ids as [string];
  for (const itemIds of [ids, Array(300).fill('x'), Array(6).fill(first)])
    expect(await run(jobId, itemIds)).toBeRefused(400, 'seo_batch_too_large');
  const refusedAt = (pointer: string) => [422, 'validation_failed', { errors: [{ pointer }] }] as const;
  expect(await run(jobId, [])).toBeRefused(...refusedAt('#/itemIds'));
  expect(await run(jobId, [first, first])).toBeRefused(...refusedAt('#/itemIds/1'));
  for (const foreign of [newId('auditItem'), 'x', other.ids[0]!])
    expect(await run(jobId, [first, foreign])).toBeRefused(422, 'seo_item_not_in_job', {
      errors: [{ pointer: '#/itemIds/1', code: 'seo_item_not_in_job' }],
    });
  const untouched = { state: 'queued', attempts: 0 };
  expect(await items(jobId)).toEqual(Array(6).fill(expect.objectContaining(untouched)));
});

test('an item that cannot be analysed is skipped with the reason, and the others are analysed', async () => {
  const { jobId, ids, pages } = await start(5);
  const [gone, german, empty, published] = pages.map(({ id }) => id) as [string, string, string, string];
  await boss.deletePage({ pageId: gone });
  await boss.updatePage({ pageId: german, languageTag: 'de' });
  await boss.updatePage({ pageId: empty, html: ' ' });
  await boss.publishPage({ pageId: published });
  await jobs().updateMany({ _id: jobId }, { $set: { visibilities: ['PRIVATE'] } });
  const { processed, job } = await run(jobId, ids);
  expect(processed.map(({ reason, state }) => reason?.code ?? state)).toEqual([
    'content_deleted',
    'content_not_in_language',
    'content_empty',
    'content_unpublished_scope',
    'SUCCEEDED',
  ]);
  expect(job).toMatchObject({ state: 'COMPLETED', counts: { skipped: 4, succeeded: 1, failed: 0 } });
});

test('the items of a job lead to their objects, and to null for a deleted one', async () => {
  const { jobId, pages } = await start(2);
  await boss.deletePage({ pageId: pages[1]!.id });
  const query = `{ seoAuditItems(jobId: "${jobId}") { nodes { object { ... on Page { id title } } } } }`;
  const { body } = await boss.rest('POST', '/graphql', { body: { query } });
  const nodes = [{ object: { id: pages[0]!.id, title: 'Tyre' } }, { object: null }];
  expect(body).toEqual({ data: { seoAuditItems: { nodes } } });
});

test('a text that is too long fails for good and leaves the job with errors', async () => {
  const { jobId, ids, pages } = await start(2);
  await boss.updatePage({ pageId: pages[0]!.id, html: `<p>${'a '.repeat(60_001)}</p>` });
  const { processed, job } = await run(jobId, ids);
  const failed = { state: 'FAILED', reason: { code: 'content_too_large' }, retryable: false };
  expect(processed[0]).toMatchObject(failed);
  expect(job).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', counts: { failed: 1, succeeded: 1 } });
});

test('an item whose job has an unknown ruleset fails for good', async () => {
  const { jobId, ids } = await start(1);
  await jobs().updateMany({ _id: jobId }, { $set: { ruleset: '1999.1' } });
  const failed = { state: 'FAILED', reason: { code: 'ruleset_gone' }, retryable: false, attempts: 1 };
  expect((await run(jobId, ids)).processed).toMatchObject([failed]);
});

test('an item that is done comes back with its result, and one that another batch holds is named', async () => {
  const { jobId, ids } = await start(3);
  const [done, held, free] = ids as [string, string, string];
  const first = await run(jobId, [done]);
  const leaseUntil = new Date(Date.now() + 60_000);
  await put(jobId, held, { state: 'processing', leaseToken: 'other', leaseUntil });
  const { processed, notProcessed, job } = await run(jobId, ids);
  expect(processed.map(({ id }) => id)).toEqual([free]);
  expect(notProcessed).toMatchObject([
    { itemId: done, code: 'already_done', item: first.processed[0] },
    { itemId: held, code: 'leased_elsewhere' },
  ]);
  expect(job).toMatchObject({ state: 'RUNNING', nextItemIds: [], counts: { processing: 1 } });
});

test('an item whose lease expired is analysed again, and fails when the third lease expired', async () => {
  const { jobId, ids } = await start(2);
  const [second, third] = ids as [string, string];
  const expired = { state: 'processing', leaseToken: 'gone', leaseUntil: new Date(0) } as const;
  await put(jobId, second, { ...expired, lostLeases: 1 });
  await put(jobId, third, { ...expired, lostLeases: 2 });
  await jobs().updateMany({ _id: jobId }, { $set: { state: 'running' } });
  expect((await boss.seoAuditJob({ jobId })).nextItemIds).toEqual(ids);
  const { processed, notProcessed, job } = await run(jobId, ids);
  expect(processed).toMatchObject([{ id: second, state: 'SUCCEEDED' }]);
  expect((await items(jobId))[0]?.lostLeases).toBe(2);
  const lost = { state: 'FAILED', reason: { code: 'worker_lost' } };
  expect(notProcessed).toMatchObject([{ itemId: third, code: 'already_done', item: lost }]);
  expect(job.state).toBe('COMPLETED_WITH_ERRORS');
});

test.each([
  ['cancelled', 'seo_job_cancelled'],
  ['expired', 'seo_job_expired'],
  ['completed', 'seo_job_finished'],
  ['completed_with_errors', 'seo_job_finished'],
] as const)('a batch of a job that is %s is refused and begins no item', async (state, code) => {
  const { jobId, ids } = await start(1);
  await jobs().updateMany({ _id: jobId }, { $set: { state }, $unset: { active: 1, slot: 1 } });
  expect(await run(jobId, ids)).toBeRefused(409, code);
  expect((await items(jobId))[0]?.attempts).toBe(0);
});

test.each([
  ['the same engine is not stored', {}, true],
  ['another engine is stored', { engineVersion: '1.0.0' }, false],
])('a second analysis of the same text, fields and ruleset by %s again', async (_, set, isSame) => {
  const { jobId, ids, pages } = await start(1);
  const first = await run(jobId, ids);
  await scoped(SnapshotModel, shop.installation.id).updateMany({}, { $set: set });
  const { job } = await boss.startSeoAudit({ items: pages });
  const second = await run(job.id, job.nextItemIds);
  expect(second.processed[0]?.snapshot?.id === first.processed[0]?.snapshot?.id).toBe(isSame);
});

test('a batch of five reads the job twice, changes it twice and costs sixteen commands at most', async () => {
  const { jobId, ids } = await start(6);
  const select =
    'processed { id snapshot { id } } notProcessed { itemId } job { nextItemIds counts { total } }';
  const five = ids.slice(0, 5);
  const commands = await commandsOf(() => boss.runSeoAuditBatch({ jobId, itemIds: five }, select));
  expect(commands.filter((name) => name.endsWith(' seo_audit_jobs'))).toEqual([
    'aggregate seo_audit_jobs',
    'find seo_audit_jobs',
    'update seo_audit_jobs',
    'update seo_audit_jobs',
  ]);
  expect(commands.filter((name) => name.includes(' seo_')).length).toBeLessThanOrEqual(16);
  // The pages, and their texts.
  expect(commands.filter((name) => name === 'find pages')).toHaveLength(2);
});

test('a start, a batch, a cancellation, a retry and a page of items read jobs through indexes', async () => {
  const plans = await indexesOf(async () => {
    const { jobId, ids } = await start(2);
    await run(jobId, ids.slice(0, 1));
    await boss.cancelSeoAudit({ jobId });
    await boss.retrySeoAudit({ jobId, scope: 'FAILED_AND_CANCELLED' });
    await itemIds(jobId);
  });
  const own = plans.filter(({ command }) => command.includes('seo_audit'));
  expect(own.length).toBeGreaterThan(6);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test('a report counts scores, verdicts and issues of the selected checks', async () => {
  const { jobId, ids } = await start(3, { checks: ['images.present'] });
  await run(jobId, ids);
  const { job, items } = await boss.seoAuditReport(
    { jobId },
    'job { summary { averageScore ratings { rating count } ratingsByName topIssues { checkId bad ok } } } items { nodes { score rating } }',
  );
  const { score, rating } = items.nodes[0]!;
  expect(job.summary).toEqual({
    averageScore: score,
    ratings: [{ rating, count: 3 }],
    ratingsByName: { [String(rating).toLowerCase()]: 3 },
    topIssues: [{ checkId: 'images.present', bad: 3, ok: 0 }],
  });
});

test('an item whose lease another batch takes during the analysis keeps the later state', async () => {
  const { jobId, ids, pages } = await start(3);
  const long = `<p>${'A tyre for winter roads that was tested by many drivers on snow. '.repeat(400)}</p>`;
  for (const { id } of pages) await boss.updatePage({ pageId: id, html: long });
  const batch = run(jobId, ids);
  while ((await items(jobId)).some(({ state }) => state === 'queued'));
  const [first, taken, last] = ids as [string, string, string];
  await put(jobId, taken, { leaseToken: 'another' });
  const { processed, notProcessed } = await batch;
  expect(processed.map(({ id }) => id)).toEqual([first, last]);
  expect(notProcessed).toMatchObject([{ itemId: taken, code: 'lease_lost' }]);
  const [, kept] = await items(jobId);
  expect(kept).toMatchObject({ state: 'processing', leaseToken: 'another' });
  expect(kept).not.toHaveProperty('snapshotId');
});

test('the end of a job is published as an event with its outcome', async () => {
  const { jobId, ids } = await start(2);
  await run(jobId, ids);
  await world.stack.runJob('seo.relay');
  const events = await EventModel.find({ 'object.id': jobId }).sort({ position: 1 }).lean();
  expect(events.map(({ type }) => type)).toEqual(['seo.audit_job.started', 'seo.audit_job.finished']);
  const outcome = { state: 'completed', succeeded: 2, failed: 0, skipped: 0 };
  expect(events[1]?.payload).toMatchObject(outcome);
});
