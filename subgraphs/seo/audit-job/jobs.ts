import DataLoader from 'dataloader';
import { ownershipRequired } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { isId } from '../../platform/ids/newId.ts';
import { type ScopedCollection, scoped } from '../../platform/installation/scoped.ts';
import { AuditItemModel, AuditJobModel, type StoredAuditItem, type StoredAuditJob } from './model.ts';

/** Where jobs are looked for; a request's context is one. */
export interface Place {
  readonly installationId: string;
}

/** The installation's audit jobs. */
export function jobsOf({ installationId }: Place): ScopedCollection<StoredAuditJob> {
  return scoped(AuditJobModel, installationId);
}

/** The installation's audit items. */
export function itemsOf({ installationId }: Place): ScopedCollection<StoredAuditItem> {
  return scoped(AuditItemModel, installationId);
}

/** A job as it was at the first question of the request; batched, null when there is none. */
export function findJob(context: RequestContext, id: string): Promise<StoredAuditJob | null> {
  return isId('auditJob', id) ? context.loader(jobById).load(id) : Promise.resolve(null);
}

/**
 * The job, for whoever started it.
 *
 * @throws AppError `not_found`, `ownership_required`
 */
export async function loadOwnJob(context: RequestContext, id: string): Promise<StoredAuditJob> {
  const job = await findJob(context, id);
  if (!job) throw notFound('The audit job');
  assertInitiator(context, job);
  return job;
}

/** @throws AppError `ownership_required` */
export function assertInitiator(context: RequestContext, { initiatorId }: StoredAuditJob): void {
  if (initiatorId !== context.viewer.id) throw ownershipRequired();
}

/** The job as it is at this moment; it cannot vanish while somebody works on it. */
export async function readJob(context: Place, id: string): Promise<StoredAuditJob> {
  const job = await jobsOf(context).findOne({ _id: id });
  if (!job) throw new Error(`Audit job ${id} vanished.`);
  return job;
}

function jobById(context: RequestContext): DataLoader<string, StoredAuditJob | null> {
  return new DataLoader(async (ids) => {
    const found = await jobsOf(context).find({ _id: { $in: [...ids] } });
    const byId = new Map(found.map((job) => [job._id, job]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
