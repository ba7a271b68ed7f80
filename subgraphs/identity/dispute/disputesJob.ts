import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { dueJob } from '../../platform/jobs/dueJob.ts';
import type { LedgerScope } from '../ledger/LedgerScope.ts';
import { leaseMs } from '../money/times.ts';
import { DisputeModel, type DisputeRecord } from './model.ts';
import { holdDisputed, releaseDisputed } from './postDispute.ts';

/** Finishes what was cut short, and ends the time for evidence of dealers whose seven days are over. */
export const disputesJob = dueJob({
  name: 'identity.disputes',
  everyMs: 15_000,
  leaseMs,
  model: DisputeModel,
  due: 'dueAt',
  retryMs: 60_000,
  work,
});

async function work(scope: LedgerScope, dispute: DisputeRecord): Promise<void> {
  if (!dispute.isHeld) return void (await holdDisputed(scope, dispute));
  if (dispute.outcome) return releaseDisputed(scope, dispute);
  const { _id, state, version } = dispute;
  const reviewed: { state?: 'under_review' } = state === 'needs_response' ? { state: 'under_review' } : {};
  await scoped(DisputeModel, scope.installationId).findOneAndUpdate(
    { _id, state, version },
    {
      $set: { ...reviewed, dueAt: null, updatedAt: new Date(scope.platform.now()) },
      $inc: { version: 1 },
      ...(reviewed.state && { $push: announce(scope, 'dispute.updated', { data: reviewed }) }),
    },
  );
}
