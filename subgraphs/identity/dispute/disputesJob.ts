import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { dueJob } from '../../platform/jobs/dueJob.ts';
import type { LedgerContext } from '../money/MoneyContext.ts';
import { DisputeModel, type DisputeRecord } from './model.ts';

/** Ends the time for evidence of dealers whose seven days are over. */
export const disputesJob = dueJob({
  name: 'identity.disputes',
  everyMs: 15_000,
  model: DisputeModel,
  due: 'dueAt',
  retryMs: 60_000,
  work,
});

async function work(scope: LedgerContext, { _id, version }: DisputeRecord): Promise<void> {
  const reviewed = { state: 'under_review' } as const;
  await scoped(DisputeModel, scope.installationId).findOneAndUpdate(
    { _id, state: 'needs_response', version },
    {
      $set: { ...reviewed, dueAt: null, updatedAt: new Date(scope.platform.now()) },
      $inc: { version: 1 },
      $push: announce(scope, 'dispute.updated', { data: reviewed }),
    },
  );
}
