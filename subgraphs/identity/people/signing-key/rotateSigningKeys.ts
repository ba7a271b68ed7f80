import type { Job } from '../../../platform/jobs/Job.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import { ensureSigningKeys } from './ensureSigningKeys.ts';

/** Publishes, activates and retires the deployment's keys when they are due. */
export const rotateSigningKeys: Job = {
  name: 'identity.signing-keys',
  everyMs: hourMs,
  async run({ platform }) {
    const changed = await ensureSigningKeys(platform.secrets, new Date(platform.now()));
    // The change stream notifies other processes.
    if (changed) platform.keys.drop();
  },
};
