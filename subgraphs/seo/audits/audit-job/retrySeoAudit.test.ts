import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { createPages } from '../../fixture/createPage.ts';
import type { RetrySeoAuditInput } from '../../seo.generated.ts';
import { auditShop } from './fixture/auditShop.ts';

const dayMs = 24 * 3_600_000;
const world = product();
const { boss, jobs, putItem } = auditShop(world);

const retry = (jobId: string, input: Partial<Wire<RetrySeoAuditInput>> = {}) =>
  boss.retrySeoAudit({ jobId, ...input });
const run = (jobId: string, itemIds: readonly string[]) => boss.runSeoAuditBatch({ jobId, itemIds });
const start = async (count: number) =>
  (await boss.startSeoAudit({ items: await createPages(boss, count) })).job;
const invalidItems = [422, 'validation_failed', { errors: [{ pointer: '#/itemIds' }] }] as const;

/** A finished job of two items, the first of which failed. */
async function failedJob(isRetryable = true) {
  const { id, nextItemIds } = await start(2);
  await run(id, nextItemIds);
  const [first] = nextItemIds as [string];
  const failed = { state: 'failed', reason: 'engine_error', retryable: isRetryable } as const;
  await putItem(id, first, failed);
  await jobs().updateMany({ _id: id }, { $set: { state: 'completed_with_errors' } });
  return { id, first };
}

test('a retry of failed items opens the next round of the job with these items only', async () => {
  const { id, first } = await failedJob();
  const { job } = await retry(id);
  expect(job).toMatchObject({ state: 'RUNNING', round: 2, nextItemIds: [first] });
  expect(job.counts).toMatchObject({ queued: 1, succeeded: 1, failed: 0 });
  expect((await run(id, job.nextItemIds)).job.state).toBe('COMPLETED');
});

test('an item that failed for good is retried only if it is named', async () => {
  const { id, first } = await failedJob(false);
  expect(await retry(id)).toBeRefused(409, 'seo_nothing_to_retry');
  const { job } = await retry(id, { scope: 'ITEMS', itemIds: [first] });
  expect(job).toMatchObject({ state: 'RUNNING', nextItemIds: [first] });
});

test.each(['cancelled', 'expired'] as const)(
  'a job that is %s is resumed with its open items',
  async (state) => {
    const { id, nextItemIds } = await start(7);
    await run(id, nextItemIds);
    await boss.cancelSeoAudit({ jobId: id });
    await jobs().updateMany({ _id: id }, { $set: { state } });
    expect(await retry(id)).toBeRefused(409, 'seo_nothing_to_retry');
    const { job } = await retry(id, { scope: 'FAILED_AND_CANCELLED' });
    expect(job).toMatchObject({ state: 'RUNNING', cancelReason: null, counts: { queued: 2, succeeded: 5 } });
    const { job: end } = await run(id, job.nextItemIds);
    expect(end).toMatchObject({ state: 'COMPLETED', counts: { total: 7, succeeded: 7 } });
  },
);

test('more items than a batch holds can be named for a retry, analysed ones included', async () => {
  const { id } = await start(8);
  const ids = (await boss.seoAuditItems({ jobId: id })).nodes.map((item) => item.id);
  await run(id, ids.slice(0, 5));
  await run(id, ids.slice(5));
  const { job } = await retry(id, { scope: 'ITEMS', itemIds: ids.slice(0, 7) });
  expect(job.counts).toMatchObject({ queued: 7, succeeded: 1 });
});

test('a retry of foreign items, of no items or of items in another scope is refused and changes nothing', async () => {
  const { id, first } = await failedJob();
  const foreign = { scope: 'ITEMS' as const, itemIds: [newId('auditItem')] };
  expect(await retry(id, foreign)).toBeRefused(422, 'seo_item_not_in_job');
  expect(await retry(id, { scope: 'ITEMS' })).toBeRefused(...invalidItems);
  expect(await retry(id, { itemIds: [first] })).toBeRefused(...invalidItems);
  expect(await jobs().findOne({ _id: id })).toMatchObject({ round: 1, state: 'completed_with_errors' });
});

test('a retry is refused while a job of the administrator is open, and 31 days after the end', async () => {
  const { id } = await failedJob();
  const { id: open } = await start(1);
  for (const jobId of [id, open])
    expect(await retry(jobId)).toBeRefused(409, 'seo_job_already_active', { jobId: open });
  await boss.cancelSeoAudit({ jobId: open });
  await jobs().updateMany({ _id: id }, { $set: { finishedAt: new Date(Date.now() - 31 * dayMs) } });
  expect(await retry(id)).toBeRefused(409, 'seo_nothing_to_retry');
});

test('of concurrent retries one opens the job', async () => {
  const { id } = await failedJob();
  const answers = await Promise.all(Array.from({ length: 4 }, () => retry(id)));
  const refused = answers.filter(isRefused);
  expect(refused).toHaveLength(3);
  for (const answer of refused) expect(answer).toBeRefused(409);
  expect(await jobs().findOne({ _id: id })).toMatchObject({ state: 'running', active: true });
});
