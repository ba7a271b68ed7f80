import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { DealerInvitationModel } from './model.ts';

/** Expired invitations are refused by their date already; this closes them. */
export const expireInvitations: Job = {
  name: 'identity.invitations',
  everyMs: 10 * 60_000,
  async run({ platform, assertHeld }) {
    for (const { id } of platform.installations.all) {
      await assertHeld();
      const now = new Date(platform.now());
      await scoped(DealerInvitationModel, id).updateMany(
        { state: 'pending', expiresAt: { $lte: now } },
        { $set: { state: 'expired', doneAt: now } },
      );
    }
  },
};
