import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import type { LedgerScope } from '../ledger/LedgerScope.ts';
import { leaseMs } from '../money/times.ts';
import { DisputeModel, type DisputeRecord } from './model.ts';
import { holdDisputed, releaseDisputed } from './postDispute.ts';

const batchSize = 50;
/** What went wrong is tried again then. */
const againMs = 60_000;

/** Finishes what was cut short, and takes the word from dealers whose seven days are over. */
export const disputesJob: Job = {
  name: 'identity.disputes',
  everyMs: 15_000,
  leaseMs,
  run: (run) =>
    drainEach(run, batchSize, async ({ id: installationId }) => {
      const { platform } = run;
      const due = await scoped(DisputeModel, installationId).find(
        { dueAt: { $lte: new Date(platform.now()), $type: 'date' } },
        { sort: { dueAt: 1, _id: 1 }, limit: batchSize },
      );
      for (const dispute of due) {
        const scope = { installationId, platform };
        try {
          await work(scope, dispute);
        } catch (error) {
          platform.log.error({ err: error, disputeId: dispute._id }, 'dispute not worked on');
        }
        const { _id, dueAt } = dispute;
        // Whoever moved it has said when it is due again.
        await scoped(DisputeModel, installationId).findOneAndUpdate(
          { _id, dueAt },
          { $set: { dueAt: new Date(platform.now() + againMs) } },
        );
      }
      return due.length;
    }),
};

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
