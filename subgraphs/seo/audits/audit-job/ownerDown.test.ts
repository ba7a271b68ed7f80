import { product } from '../../../../test/support/product.ts';
import type { Ask } from '../../../platform/context/AskSubgraph.ts';
import { askLocally } from '../../../platform/federation/askLocally.ts';
import { askOwner } from '../../../platform/federation/askOwner.ts';
import { createPages } from '../../fixture/createPage.ts';
import { auditShop } from './fixture/auditShop.ts';

let isDown = false;
const answerOwner: Ask = (variables, context) =>
  isDown ? Promise.reject(new Error('The owner is down.')) : askIdentity(variables, context);
const world = product({ answers: new Map([[askOwner.document, answerOwner]]) });
const askIdentity = askLocally(
  () => world.stack.subgraphs.find(({ name }) => name === 'identity')!.schema,
  askOwner.document,
);
const { boss } = auditShop(world);

test('items whose owner does not answer fail and can be retried until the fifth attempt', async () => {
  const { job } = await boss.startSeoAudit({ items: await createPages(boss, 1) });
  const { id: jobId, nextItemIds: itemIds } = job;
  isDown = true;
  for (let attempts = 1; attempts <= 5; attempts += 1) {
    // Without `object`, which only the owner knows.
    const members = 'job { state } processed { state reason { code } attempts retryable }';
    const { processed, job } = await boss.runSeoAuditBatch({ jobId, itemIds }, members);
    const reason = { code: 'content_source_unavailable' };
    expect(processed).toMatchObject([{ state: 'FAILED', reason, attempts, retryable: attempts < 5 }]);
    expect(job.state).toBe('COMPLETED_WITH_ERRORS');
    const retried = await boss.retrySeoAudit({ jobId });
    if (attempts === 5) expect(retried).toBeRefused(409, 'seo_nothing_to_retry');
  }
  isDown = false;
  await boss.retrySeoAudit({ jobId, scope: 'ITEMS', itemIds });
  expect((await boss.runSeoAuditBatch({ jobId, itemIds })).job.state).toBe('COMPLETED');
});
