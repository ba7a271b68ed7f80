import { problemOf } from '../../../test/support/problemOf.ts';
import { newId } from '../../platform/ids/newId.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

let audits: Audits;
beforeAll(async () => {
  audits = await openAudits();
});
afterAll(() => audits.stack.close());
afterEach(() => audits.setDown(false));

const dayMs = 24 * 3_600_000;
const many = (count: number) => Array.from({ length: count }, () => audits.put());
const retried = async (input: object) => {
  const { data, errors } = await audits.retry(input);
  if (errors) throw new Error(JSON.stringify(errors));
  return data?.retrySeoAudit.job;
};
const refused = async (input: object) => problemOf(await audits.retry(input));

/** A finished job whose first item failed for good or for now, the second one was analysed. */
async function failedJob(retryable: boolean, attempts = 1) {
  const job = await audits.startFresh(many(2));
  await audits.ran(job.id, job.nextItemIds);
  const [first] = job.nextItemIds;
  await audits.stored.updateMany(
    { _id: first },
    { $set: { state: 'failed', reason: 'engine_error', retryable, attempts } },
  );
  await audits.jobs.updateMany({ _id: job.id }, { $set: { state: 'completed_with_errors' } });
  return { id: job.id as string, itemIds: job.nextItemIds as string[] };
}

test('a retry of what failed opens the job in its next round with these items only', async () => {
  const { id, itemIds } = await failedJob(true);
  const job = await retried({ jobId: id });
  expect(job).toMatchObject({ state: 'RUNNING', round: 2, nextItemIds: [itemIds[0]] });
  expect(job.counts).toMatchObject({ queued: 1, succeeded: 1, failed: 0 });
  const { job: end } = await audits.ran(id, job.nextItemIds);
  expect(end.state).toBe('COMPLETED');
});

test('what would fail again is not retried, but by its id', async () => {
  const { id, itemIds } = await failedJob(false);
  expect(await refused({ jobId: id })).toMatchObject({ status: 409, code: 'seo_nothing_to_retry' });
  const job = await retried({ jobId: id, scope: 'ITEMS', itemIds: itemIds.slice(0, 1) });
  expect(job).toMatchObject({ state: 'RUNNING', nextItemIds: itemIds.slice(0, 1) });
});

test('the fifth attempt that fails is the last one', async () => {
  const { id } = await failedJob(true, 4);
  const job = await retried({ jobId: id });
  audits.setDown(true);
  const { processed } = await audits.ran(id, job.nextItemIds);
  audits.setDown(false);
  expect(processed).toMatchObject([{ state: 'FAILED', attempts: 5, retryable: false }]);
});

test.each(['cancelled', 'expired'] as const)('a job that is %s is resumed where it stood', async (state) => {
  const job = await audits.startFresh(many(7));
  await audits.ran(job.id, job.nextItemIds);
  await audits.cancel({ jobId: job.id });
  await audits.jobs.updateMany({ _id: job.id }, { $set: { state } });
  expect((await refused({ jobId: job.id })).code).toBe('seo_nothing_to_retry');
  const again = await retried({ jobId: job.id, scope: 'FAILED_AND_CANCELLED' });
  expect(again).toMatchObject({ state: 'RUNNING', cancelReason: null, counts: { queued: 2, succeeded: 5 } });
  const { job: end } = await audits.ran(job.id, again.nextItemIds);
  expect(end).toMatchObject({ state: 'COMPLETED', counts: { total: 7, succeeded: 7 } });
});

test('any number of items of a finished job can be named, analysed ones too', async () => {
  const job = await audits.startFresh(many(8));
  await audits.ran(job.id, job.nextItemIds);
  const { nodes } = (await audits.items(job.id)).data!.seoAuditItems;
  const ids = nodes.map(({ id }: { id: string }) => id);
  await audits.ran(job.id, ids.slice(5));
  const again = await retried({ jobId: job.id, scope: 'ITEMS', itemIds: ids.slice(0, 7) });
  expect(again.counts).toMatchObject({ queued: 7, succeeded: 1 });
});

test('items that are not of the job, none, or items with another scope are refused, and nothing changes', async () => {
  const { id, itemIds } = await failedJob(true);
  const strange = newId('auditItem');
  expect(await refused({ jobId: id, scope: 'ITEMS', itemIds: [strange] })).toMatchObject({
    status: 422,
    code: 'seo_item_not_in_job',
  });
  expect((await refused({ jobId: id, scope: 'ITEMS' })).errors).toMatchObject([{ pointer: '#/itemIds' }]);
  expect((await refused({ jobId: id, itemIds })).errors).toMatchObject([{ pointer: '#/itemIds' }]);
  expect(await audits.jobs.findOne({ _id: id })).toMatchObject({ round: 1, state: 'completed_with_errors' });
});

test('a job that is open, too old, or not the only one is not opened', async () => {
  const { id } = await failedJob(true);
  const other = (await audits.start({ items: many(1) })).data?.startSeoAudit.job;
  for (const jobId of [id, other.id])
    expect(await refused({ jobId, scope: 'FAILED' })).toMatchObject({
      status: 409,
      code: 'seo_job_already_active',
      jobId: other.id,
    });
  await audits.cancel({ jobId: other.id });
  await audits.jobs.updateMany({ _id: id }, { $set: { finishedAt: new Date(Date.now() - 31 * dayMs) } });
  expect((await refused({ jobId: id })).code).toBe('seo_nothing_to_retry');
});

test('a retry that was cut short behind the round or the items is taken along by the next one', async () => {
  const { id, itemIds } = await failedJob(true);
  await audits.jobs.updateMany({ _id: id }, { $inc: { round: 1 } });
  await audits.stored.updateMany({ _id: itemIds[0] ?? '' }, { $set: { state: 'queued', round: 2 } });
  const job = await retried({ jobId: id });
  expect(job).toMatchObject({ state: 'RUNNING', round: 3, counts: { queued: 1 } });
});

test('of retries at once one opens the job', async () => {
  const { id } = await failedJob(true);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => audits.retry({ jobId: id })));
  expect(outcomes.filter(({ errors }) => !errors)).toHaveLength(1);
  for (const refusal of outcomes.filter(({ errors }) => errors)) expect(problemOf(refusal).status).toBe(409);
  expect(await audits.jobs.findOne({ _id: id })).toMatchObject({ state: 'running', active: true });
});

test('a retry is its initiator’s', async () => {
  const { id } = await failedJob(true);
  const colleague = await audits.administrator();
  const editor = await audits.stack.signIn({ roles: ['editor'] });
  expect(problemOf(await audits.retry({ jobId: id }, colleague)).code).toBe('ownership_required');
  expect(problemOf(await audits.retry({ jobId: id }, editor)).code).toBe('permission_required');
  expect(problemOf(await audits.retry({ jobId: newId('auditJob') })).code).toBe('not_found');
});
