import { recordSystemAudit } from '../../platform/audit/recordAudit.ts';
import type { Platform } from '../../platform/context/Platform.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../platform/jobs/Job.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { mailOwners } from '../dealer/mailOwners.ts';
import { DealerModel } from '../dealer/model.ts';
import { verificationOf } from './contentOf.ts';
import { isAllowed } from './states.ts';

const batchSize = 100;

/**
 * Ends approvals whose time is over. The dealer itself stays as it is: what follows is for the staff to say. A new
 * version that is under way goes on.
 */
export const dealerVerificationExpiryJob: Job = {
  name: 'identity.dealer-verification-expiry',
  everyMs: 3_600_000,
  async run(run) {
    for (const { id } of run.platform.installations.all) await expireAll(id, run);
  },
};

async function expireAll(installationId: string, run: JobRun): Promise<void> {
  const at = new Date(run.platform.now());
  for (;;) {
    const due = await scoped(DealerModel, installationId).find(
      { 'approval.expiresAt': { $lte: at } },
      { projection: { _id: 1 }, sort: { 'approval.expiresAt': 1, _id: 1 }, limit: batchSize },
    );
    for (const { _id } of due) {
      if (run.signal.aborted) return;
      await run.assertHeld();
      await expire(_id, { installationId, platform: run.platform, at });
    }
    if (due.length < batchSize) return;
  }
}

/** Conditional on what is still due, so that it happens once. */
async function expire(
  _id: string,
  { installationId, platform, at }: { installationId: string; platform: Platform; at: Date },
): Promise<void> {
  await inTransaction(async (session) => {
    const dealers = scoped(DealerModel, installationId);
    const before = await dealers.findOne({ _id, 'approval.expiresAt': { $lte: at } }, { session });
    if (!before) return;
    const isLatest = isAllowed(verificationOf(before), 'dealerVerificationExpiry');
    const after = await dealers.findOneAndUpdate(
      { _id },
      {
        $set: {
          approval: null,
          updatedAt: at,
          ...(isLatest ? { 'verification.state': 'expired' } : {}),
        },
        $inc: { version: 1 },
      },
      { session },
    );
    await recordSystemAudit(
      { name: dealerVerificationExpiryJob.name, installationId, at },
      { action: 'dealerVerificationExpired', target: { type: 'dealer', id: _id } },
      { session },
    );
    if (!after) return;
    const mail = { template: 'dealerVerificationExpired', data: { tradeName: after.tradeName } } as const;
    await mailOwners({ installationId, platform }, after, mail, session);
  });
}
