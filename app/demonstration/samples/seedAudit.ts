import { seedOperation } from '../seedOperation.ts';
import type { SampleContext } from './SampleContext.ts';

const startSeoAudit = seedOperation(`mutation startSeoAudit($input: StartSeoAuditInput!) {
  startSeoAudit(input: $input) { job { id } } }`);
const readJob = seedOperation(
  'query seoAuditJob($id: ID!) { seoAuditJob(jobId: $id) { state nextItemIds } }',
);
const runBatch = seedOperation(`mutation runSeoAuditBatch($input: RunSeoAuditBatchInput!) {
  runSeoAuditBatch(input: $input) { done } }`);

/** Number of cars in the audit. */
const audited = 20;

/** Runs an audit over cars of all dealers to its end, on behalf of the administrator. */
export async function seedAudit({ listings, as: { admin }, signal }: SampleContext): Promise<void> {
  const step = Math.floor(listings.length / audited);
  const items = listings
    .filter((_, index) => index % step === 0)
    .slice(0, audited)
    .map(({ id }) => ({ type: 'LISTING', id }));
  const { startSeoAudit: started } = await admin.call<{ startSeoAudit: { job: { id: string } } }>(
    startSeoAudit,
    { input: { items, idempotencyKey: 'demonstration-audit' } },
  );
  const jobId = started.job.id;
  for (;;) {
    signal.throwIfAborted();
    const { seoAuditJob } = await admin.call<{ seoAuditJob: { nextItemIds: string[] } }>(readJob, {
      id: jobId,
    });
    const itemIds = seoAuditJob.nextItemIds.slice(0, 5);
    if (itemIds.length === 0) return;
    await admin.call(runBatch, { input: { jobId, itemIds } });
  }
}
