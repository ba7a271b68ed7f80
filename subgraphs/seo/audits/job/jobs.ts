import { setTimeout as pause } from 'node:timers/promises';
import DataLoader from 'dataloader';
import type { QueryFilter } from 'mongoose';
import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { findByIds } from '../../../platform/context/recordLoader.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { jobEvent } from './jobEvent.ts';
import { type AuditJobHead, AuditJobModel, type StoredAuditJob } from './model.ts';
import { type AuditAction, type Clocks, isOpen, reduce } from './reduce.ts';

/** Scope of jobs; a request's context is one. */
export interface JobScope {
  readonly installationId: string;
  readonly platform: Pick<Platform, 'now'>;
}

/** A job with its items, and the database's time at which it was read. */
export type ReadAuditJob = StoredAuditJob & { readAt: Date };

/** Returns the installation's audit jobs. */
export function jobsOf({
  installationId,
}: Pick<JobScope, 'installationId'>): ScopedCollection<StoredAuditJob> {
  return scoped(AuditJobModel, installationId);
}

/** Returns the installation's audit jobs without their items. */
export function headsOf(
  scope: Pick<JobScope, 'installationId'>,
): Pick<ScopedCollection<AuditJobHead>, 'find'> {
  const jobs = jobsOf(scope);
  return {
    find: (filter, options) => jobs.find(filter, { ...options, projection: { items: 0, outbox: 0 } }),
  };
}

/** Loads a job without its items, once for each request; null if there is none. */
export function findJob(context: RequestContext, id: string): Promise<AuditJobHead | null> {
  return isId('auditJob', id) ? context.loader(headById).load(id) : Promise.resolve(null);
}

function headById(context: RequestContext): DataLoader<string, AuditJobHead | null> {
  return new DataLoader((ids) => findByIds(headsOf(context), ids));
}

/**
 * Returns a job without its items, for its initiator.
 *
 * @throws AppError `not_found`, `ownership_required`
 */
export async function loadOwnJob(context: RequestContext, id: string): Promise<AuditJobHead> {
  const job = await findJob(context, id);
  if (!job) throw notFound('The audit job');
  assertInitiator(context, job);
  return job;
}

/**
 * Checks that the caller is the initiator.
 *
 * @throws AppError `ownership_required`
 */
export function assertInitiator(context: RequestContext, { initiatorId }: AuditJobHead): void {
  if (initiatorId !== context.viewer.id) throw ownershipRequired();
}

/** Returns the part of a job for a response. It is stored under the idempotency key, so it excludes items. */
export function headOf(job: ReadAuditJob): AuditJobHead {
  const { items: _items, outbox: _outbox, readAt: _readAt, ...head } = job;
  return head;
}

/** Returns jobs with their items, without the items' issues; a deleted job is omitted. */
export function readJobs(
  scope: Pick<JobScope, 'installationId'>,
  filter: QueryFilter<StoredAuditJob>,
): Promise<ReadAuditJob[]> {
  return jobsOf(scope).aggregate<ReadAuditJob>(filter, [
    { $project: { outbox: 0, 'items.issues': 0 } },
    { $addFields: { readAt: '$$NOW' } },
  ]);
}

/** Job before and after a change. */
export interface Change {
  readonly before: StoredAuditJob;
  readonly job: ReadAuditJob;
}

/** Attempts at a change. Of concurrent changes one succeeds in each round. */
const mostMeetings = 100;

/**
 * Changes a job: computes its next state, and writes the difference on the version that it is based on. After a
 * concurrent change, the job is read and the next state computed again.
 *
 * @param known the job after an earlier change, which saves a read if it is unchanged
 * @throws AppError errors of `reduce`, `concurrent_update`
 */
export async function changeJob(
  scope: JobScope,
  id: string,
  action: AuditAction,
  known?: ReadAuditJob,
): Promise<Change> {
  for (let meetings = 0; meetings < mostMeetings; meetings += 1) {
    const before = meetings === 0 && known ? known : await readJob(scope, id);
    const next = reduce(before, action, clocksOf(scope, before));
    if (next === before) return { before, job: before };
    if (await store(scope, before, next))
      return { before, job: { ...next, version: before.version + 1, readAt: before.readAt } };
    await pause(Math.random() * 20);
  }
  throw concurrentUpdate('audit job');
}

/** Returns the clocks of a change of a job. */
export function clocksOf({ platform }: JobScope, { readAt }: ReadAuditJob): Clocks {
  return { now: new Date(platform.now()), database: readAt };
}

/**
 * Returns the current job.
 *
 * @throws AppError `not_found`
 */
export async function readJob(scope: JobScope, id: string): Promise<ReadAuditJob> {
  const [job] = await readJobs(scope, { _id: id });
  if (!job) throw notFound('The audit job');
  return job;
}

/** Stores a change; false if the job has another version. */
async function store(scope: JobScope, before: StoredAuditJob, next: StoredAuditJob): Promise<boolean> {
  const { set, unset } = difference(before, next);
  const isTold = next.state !== before.state && !(isOpen(before) && isOpen(next));
  const written = await jobsOf(scope).writeEach([
    {
      filter: { _id: before._id, version: before.version },
      update: {
        $set: set,
        ...(unset && { $unset: unset }),
        $inc: { version: 1 },
        ...(isTold && { $push: jobEvent(scope, next) }),
      },
    },
  ]);
  return written === 1;
}

/**
 * Returns the members that differ. Of items, it returns only the differing members, because a job of 500 items is
 * large.
 */
function difference(
  before: StoredAuditJob,
  next: StoredAuditJob,
): { set: Record<string, unknown>; unset: Record<string, 1> | null } {
  const { items, ...members } = next;
  const changed = Object.entries(members).filter(
    ([name, value]) => value !== before[name as keyof AuditJobHead],
  );
  const gone = changed.filter(([, value]) => value === undefined);
  const set: Record<string, unknown> = Object.fromEntries(changed.filter(([, value]) => value !== undefined));
  for (const [index, item] of items.entries()) {
    const old = before.items[index];
    if (item === old) continue;
    for (const [name, value] of Object.entries(item))
      if (value !== old?.[name as keyof typeof item]) set[`items.${index}.${name}`] = value;
  }
  return {
    set,
    unset: gone.length > 0 ? Object.fromEntries(gone.map(([name]) => [name, 1 as const])) : null,
  };
}
