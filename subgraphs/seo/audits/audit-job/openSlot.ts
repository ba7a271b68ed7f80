import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { type JobScope, jobsOf } from '../job/jobs.ts';
import { alreadyActive } from '../job/refusals.ts';

/** Unfinished jobs of an installation. */
const slots = [0, 1, 2, 3, 4] as const;

/**
 * Opens a job in one of the installation's slots. Two unique indexes ensure that neither a second job of the same
 * initiator nor a sixth job of the installation is stored concurrently.
 *
 * @param open write that takes the slot; it rejects with a duplicate key if another job has taken it
 * @throws AppError `seo_job_already_active`, `seo_job_limit`
 */
export async function inSlot<T>(
  scope: JobScope,
  initiatorId: string,
  open: (slot: number) => Promise<T>,
): Promise<T> {
  // An attempt that loses its slot then finds it taken; after five losses, all slots are taken.
  for (let attempt = 0; attempt <= slots.length; attempt += 1) {
    const slot = await findFreeSlot(scope, initiatorId);
    try {
      return await open(slot);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw tooManyJobs();
}

async function findFreeSlot(scope: JobScope, initiatorId: string): Promise<number> {
  const open = await jobsOf(scope).find(
    { active: true },
    { projection: { initiatorId: 1, slot: 1 }, limit: slots.length },
  );
  const own = open.find((job) => job.initiatorId === initiatorId);
  if (own) throw alreadyActive(own._id);
  const free = slots.find((slot) => !open.some((job) => job.slot === slot));
  if (free === undefined) throw tooManyJobs();
  return free;
}

function tooManyJobs(): AppError {
  return new AppError(
    'seo_job_limit',
    'The installation has five unfinished audit jobs. Wait for one to finish or cancel one.',
    {
      retryAfter: 60,
    },
  );
}
