import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { newId } from '../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import type { AdmittedObject } from './admitObjects.ts';
import { itemsOf, jobsOf } from './jobs.ts';
import type { StoredAuditItem, StoredAuditJob } from './model.ts';

/** Unfinished jobs of an installation. */
const slots = [0, 1, 2, 3, 4] as const;

/** A job that is not stored yet. */
export type NewJob = Omit<StoredAuditJob, 'installationId' | 'active' | 'slot'>;

/** Stores a job with its items, all or nothing. */
export function storeJob(
  context: RequestContext,
  job: NewJob,
  objects: readonly AdmittedObject[],
): Promise<StoredAuditJob> {
  const items = objects.map((object, index) => toItem(job._id, object, index + 1));
  return inSlot(context, job.initiatorId, (slot) =>
    inTransaction(async (session) => {
      const stored = await jobsOf(context).insert({ ...job, active: true, slot }, { session });
      await itemsOf(context).writeEach(
        items.map((insert) => ({ insert })),
        { session },
      );
      return stored;
    }),
  );
}

/**
 * Opens a job in one of the installation's places. Two unique indexes decide, so that of two that are opened at once
 * neither a second one of the same initiator nor a sixth one stays.
 *
 * @param open the write that takes the place; it loses to another one with a duplicate key
 * @throws AppError `seo_job_already_active`, `seo_job_limit`
 */
export async function inSlot<T>(
  context: RequestContext,
  initiatorId: string,
  open: (slot: number) => Promise<T>,
): Promise<T> {
  // Whoever loses a place to another one finds it taken at the next look; after five losses all were taken.
  for (let attempt = 0; attempt <= slots.length; attempt += 1) {
    const slot = await findFreeSlot(context, initiatorId);
    try {
      return await open(slot);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw tooManyJobs();
}

async function findFreeSlot(context: RequestContext, initiatorId: string): Promise<number> {
  const open = await jobsOf(context).find(
    { active: true },
    { projection: { initiatorId: 1, slot: 1 }, limit: slots.length },
  );
  const own = open.find((job) => job.initiatorId === initiatorId);
  if (own) throw alreadyActive(own._id);
  const free = slots.find((slot) => !open.some((job) => job.slot === slot));
  if (free === undefined) throw tooManyJobs();
  return free;
}

/** The caller has a job that is not finished. */
export function alreadyActive(jobId: string): AppError {
  return new AppError('seo_job_already_active', 'You have an audit job that is not finished.', { jobId });
}

function tooManyJobs(): AppError {
  return new AppError('seo_job_limit', 'The installation has five unfinished audit jobs.', {
    retryAfter: 60,
  });
}

function toItem(
  jobId: string,
  { object, locale, contentVersion }: AdmittedObject,
  seq: number,
): Omit<StoredAuditItem, 'installationId'> {
  return {
    _id: newId('auditItem'),
    jobId,
    seq,
    objectType: object.type,
    objectId: object.id,
    locale,
    state: 'queued',
    attempts: 0,
    lostLeases: 0,
    leaseToken: null,
    leaseUntil: null,
    reason: null,
    retryable: false,
    snapshotId: null,
    score: null,
    rating: null,
    issues: null,
    contentVersionAtStart: contentVersion,
    contentVersionAnalysed: null,
    textId: null,
    round: 1,
    finishedAt: null,
  };
}
