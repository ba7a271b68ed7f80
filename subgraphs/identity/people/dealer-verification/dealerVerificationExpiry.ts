import { recordSystemAudit } from '../../../platform/audit/recordAudit.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type DueBatch, dueBatchJob } from '../../../platform/jobs/dueJob.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import { mailOwners } from '../dealer/mailOwners.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { verificationOf } from './contentOf.ts';
import { isAllowed } from './states.ts';

const name = 'identity.dealer-verification-expiry';

/**
 * Expires approvals. The dealer keeps its state, because the staff decides what follows. A pending new version
 * continues.
 */
export const dealerVerificationExpiryJob = dueBatchJob({
  name,
  everyMs: hourMs,
  model: DealerModel,
  due: 'approval.expiresAt',
  // A small batch, because each dealer is audited and its owners get a mail.
  batchSize: 20,
  async work(batch, found) {
    for (const dealer of found) await expire(batch, dealer);
  },
});

async function expire(batch: DueBatch, before: DealerRecord): Promise<void> {
  const { installationId, at, session } = batch;
  const { _id } = before;
  const isLatest = isAllowed(verificationOf(before), 'dealerVerificationExpiry');
  const after = await scoped(DealerModel, installationId).findOneAndUpdate(
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
    { name, installationId, at },
    { action: 'dealerVerificationExpired', target: { type: 'dealer', id: _id } },
    { session },
  );
  if (!after) return;
  const mail = { template: 'dealerVerificationExpired', data: { tradeName: after.tradeName } } as const;
  await mailOwners(batch, after, mail, session);
}
