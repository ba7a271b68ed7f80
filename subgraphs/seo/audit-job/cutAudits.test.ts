import { interceptWrites } from '../../../test/support/interceptWrites.ts';
import { type Operations, operationsOf } from '../../../test/support/operations.ts';
import { product } from '../../../test/support/product.ts';
import { isRefused } from '../../../test/support/Refusal.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { createPages } from '../fixture/createPage.ts';
import { SnapshotModel } from '../snapshot/model.ts';
import { auditShop } from './fixture/auditShop.ts';

const world = product();
const { shop, boss, items } = auditShop(world);
afterEach(() => interceptWrites(null));

/** A write before which an operation ends: the command, and what it is called with. */
type Cut = readonly [write: string, args: RegExp];

const closing: Cut = ['seo_audit_jobs.findOneAndUpdate', /"state":"completed/];
const read = (jobId: string) => boss.seoAuditJob({ jobId });
const start = async (count: number) =>
  (await boss.startSeoAudit({ items: await createPages(boss, count) })).job;

/** Begins an operation whose process ends before the write. */
async function cut([write, wanted]: Cut, operation: () => Promise<unknown>): Promise<void> {
  await new Promise<void>((reached, missed) => {
    interceptWrites((name, run, args) => {
      if (name !== write || !wanted.test(JSON.stringify(args[0]) + JSON.stringify(args[1]))) return run();
      reached();
      return new Promise(() => undefined);
    });
    operation().then(() => missed(new Error(`The operation did not come to ${write}.`)), missed);
  });
  interceptWrites(null);
}

const cutBatch = (at: Cut, jobId: string, itemIds: readonly string[]) =>
  cut(at, () => boss.runSeoAuditBatch({ jobId, itemIds }));
const expireLeases = (jobId: string) =>
  items().updateMany({ jobId, state: 'processing' }, { $set: { leaseUntil: new Date(0) } });

/** Runs batches until no item is next; answers the ids of the items that they processed. */
async function drain(jobId: string, by: Operations = boss.api): Promise<string[]> {
  const processed: string[] = [];
  for (;;) {
    const { nextItemIds } = await by.seoAuditJob({ jobId }, 'nextItemIds');
    if (nextItemIds.length === 0) return processed;
    const answer = await by.runSeoAuditBatch({ jobId, itemIds: nextItemIds });
    if (!isRefused(answer)) processed.push(...answer.processed.map(({ id }) => id));
  }
}

test.each<[string, Cut]>([
  ['its claim', ['seo_audit_jobs.findOneAndUpdate', /"state":"running","startedAt"/]],
  ['its analyses', ['seo_snapshots.insertMany', /"source":"audit_job"/]],
  ['their storage', ['seo_records.bulkWrite', /"latest":\{/]],
  ['their mark in the records', ['seo_audit_items.bulkWrite', /"state":"succeeded"/]],
])('a batch that ends after %s loses no item and stores no analysis twice', async (_, at) => {
  const { id, nextItemIds } = await start(7);
  await cutBatch(at, id, nextItemIds);
  expect((await read(id)).counts).toMatchObject({ processing: 5, queued: 2 });
  await expireLeases(id);
  await drain(id);
  const counts = { total: 7, succeeded: 7 };
  expect(await read(id)).toMatchObject({ state: 'COMPLETED', counts });
  const { nodes } = await boss.seoAuditItems({ jobId: id });
  expect(nodes.map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2, 2, 1, 1]);
  expect(await scoped(SnapshotModel, shop.installation.id).count({})).toBe(7);
});

test('a job whose last batch ends before it closes the job is closed by the background job', async () => {
  const { id, nextItemIds } = await start(3);
  await cutBatch(closing, id, nextItemIds);
  expect(await read(id)).toMatchObject({ state: 'RUNNING', progress: 1 });
  await world.stack.runJob('seo.audit-jobs');
  expect((await read(id)).state).toBe('COMPLETED');
});

test('an item of three batches that ended fails, and the others of the job are analysed', async () => {
  const { id, nextItemIds } = await start(2);
  const [first] = nextItemIds as [string];
  for (let round = 0; round < 3; round += 1) {
    await cutBatch(['seo_audit_items.bulkWrite', /"state":"succeeded"/], id, [first]);
    await expireLeases(id);
  }
  await drain(id);
  const counts = { failed: 1, succeeded: 1 };
  expect(await read(id)).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', counts });
  const lost = { reason: 'worker_lost', attempts: 3, retryable: true };
  expect(await items().findOne({ _id: first })).toMatchObject(lost);
});

test('a cancellation that ends before the items is completed by the next one', async () => {
  const { id: jobId } = await start(2);
  await cut(['seo_audit_items.updateMany', /"state":"cancelled"/], () => boss.cancelSeoAudit({ jobId }));
  const { job } = await boss.cancelSeoAudit({ jobId });
  expect(job).toMatchObject({ state: 'CANCELLED', counts: { cancelled: 2, queued: 0 } });
});

test.each<[string, Cut]>([
  ['its items', ['seo_audit_items.updateMany', /"state":"queued"/]],
  ['the state of the job', ['seo_audit_jobs.findOneAndUpdate', /"active":true,"slot"/]],
])('a retry that ends before %s is completed by the next one', async (_, at) => {
  const { id: jobId } = await start(3);
  await boss.cancelSeoAudit({ jobId });
  const retry = () => boss.retrySeoAudit({ jobId, scope: 'FAILED_AND_CANCELLED' });
  await cut(at, retry);
  expect(await read(jobId)).toMatchObject({ state: 'CANCELLED', round: 2 });
  expect((await retry()).job).toMatchObject({ state: 'RUNNING', round: 3, counts: { queued: 3 } });
  await drain(jobId);
  expect((await read(jobId)).state).toBe('COMPLETED');
});

test('two processes that run batches of one job process each item once', async () => {
  const { id: jobId } = await start(30);
  const other = await world.stack.successor();
  try {
    const theirs = operationsOf(other, { as: boss.token, installation: shop.installation });
    const processed = await Promise.all([drain(jobId), drain(jobId, theirs)]);
    expect(processed.flat()).toHaveLength(30);
    expect(new Set(processed.flat()).size).toBe(30);
    expect(await items().count({ jobId, attempts: 1, state: 'succeeded' })).toBe(30);
  } finally {
    await other.close();
  }
  await world.stack.runJob('seo.audit-jobs');
  expect((await read(jobId)).state).toBe('COMPLETED');
});
