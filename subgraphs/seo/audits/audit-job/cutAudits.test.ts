import { type Operations, operationsOf } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { SnapshotModel } from '../../analysis/snapshot/model.ts';
import { createPages } from '../../fixture/createPage.ts';
import { auditShop } from './fixture/auditShop.ts';

const world = product();
const { shop, boss, items, expireLeases } = auditShop(world);
afterEach(() => interceptWrites(null));

/** A write before which an operation ends: the command, and what it is called with. */
type Cut = readonly [write: string, args: RegExp];

const results: Cut = ['seo_audit_jobs.bulkWrite', /"items\.\d+\.state":"succeeded"/];
const read = (jobId: string) => boss.seoAuditJob({ jobId });
const start = async (count: number) =>
  (await boss.startSeoAudit({ items: await createPages(boss, count) })).job;

/** Begins a batch whose process ends before the write. */
async function cutBatch([write, wanted]: Cut, jobId: string, itemIds: readonly string[]): Promise<void> {
  await new Promise<void>((reached, missed) => {
    interceptWrites((name, run, args) => {
      if (name !== write || !wanted.test(JSON.stringify(args[0]))) return run();
      reached();
      return new Promise(() => undefined);
    });
    boss
      .runSeoAuditBatch({ jobId, itemIds })
      .then(() => missed(new Error(`The batch did not come to ${write}.`)), missed);
  });
  interceptWrites(null);
}

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
  ['its analyses', ['seo_snapshots.bulkWrite', /"source":"audit_job"/]],
  ['their storage', ['seo_records.bulkWrite', /"latest":\{/]],
  ['their mark in the records', results],
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

test('an item of three batches that ended fails, and the others of the job are analysed', async () => {
  const { id, nextItemIds } = await start(2);
  const [first] = nextItemIds as [string];
  for (let round = 0; round < 3; round += 1) {
    await cutBatch(results, id, [first]);
    await expireLeases(id);
  }
  await drain(id);
  const counts = { failed: 1, succeeded: 1 };
  expect(await read(id)).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', counts });
  const lost = { reason: 'worker_lost', attempts: 3, retryable: true };
  expect((await items(id))[0]).toMatchObject(lost);
});

test('two processes that run batches of one job process each item once', async () => {
  const { id: jobId } = await start(30);
  const other = await world.stack.successor();
  try {
    const theirs = operationsOf(other, { as: boss.token, installation: shop.installation });
    const processed = await Promise.all([drain(jobId), drain(jobId, theirs)]);
    expect(processed.flat()).toHaveLength(30);
    expect(new Set(processed.flat()).size).toBe(30);
  } finally {
    await other.close();
  }
  const once = { state: 'succeeded', attempts: 1 };
  expect(await items(jobId)).toEqual(Array(30).fill(expect.objectContaining(once)));
  expect((await read(jobId)).state).toBe('COMPLETED');
});

test.each([0, 1])(
  'items do not change after a cancellation is answered, %i of three batches before',
  async (before) => {
    const { id: jobId } = await start(7);
    const ids = (await boss.seoAuditItems({ jobId })).nodes.map(({ id }) => id);
    const batches = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6)].map((itemIds) =>
      boss.runSeoAuditBatch({ jobId, itemIds }),
    );
    await Promise.all(batches.slice(0, before));
    await boss.cancelSeoAudit({ jobId });
    const answered = await items(jobId);
    expect(answered.some(({ state }) => state === 'cancelled')).toBe(true);
    await Promise.all(batches);
    expect(await items(jobId)).toEqual(answered);
  },
);
