import { recordSystemAudit } from '../../../../platform/audit/recordAudit.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../../platform/jobs/Job.ts';
import { inTransaction } from '../../../../platform/mongo/inTransaction.ts';
import { peopleHooks } from '../../hooks/peopleHooks.ts';
import { DealerModel, type DealerRecord } from '../model.ts';
import { forgetMembers } from './forgetMembers.ts';

const batchSize = 50;

/**
 * Archives the listings of dealers that are being closed, then closes them. The listings are already hidden. An
 * interrupted run is repeated and continues with the rest.
 */
export const dealerClosingsJob: Job = {
  name: 'identity.dealer-closings',
  everyMs: 15_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) await closeAll(id, run);
  },
};

async function closeAll(installationId: string, run: JobRun): Promise<void> {
  const closing = await scoped(DealerModel, installationId).find(
    { state: 'closing' },
    { sort: { queuedAt: 1, _id: 1 }, limit: batchSize },
  );
  for (const dealer of closing) {
    if (run.signal.aborted) return;
    await close(dealer, run);
  }
}

async function close({ _id, installationId }: DealerRecord, { platform, assertHeld }: JobRun): Promise<void> {
  await peopleHooks.bound.dealerClosing({ installationId, platform }, { dealerId: _id, assertHeld });
  await assertHeld();
  const at = new Date(platform.now());
  const closed = await inTransaction(async (session) => {
    const dealer = await scoped(DealerModel, installationId).findOneAndUpdate(
      { _id, state: 'closing' },
      { $set: { state: 'closed', updatedAt: at }, $inc: { version: 1 } },
      { session },
    );
    if (!dealer) return null;
    const target = { type: 'dealer', id: _id };
    await recordSystemAudit(
      { name: dealerClosingsJob.name, installationId, at },
      { action: 'dealerClosed', target },
      { session },
    );
    return dealer;
  });
  if (closed) forgetMembers({ platform }, closed);
}
