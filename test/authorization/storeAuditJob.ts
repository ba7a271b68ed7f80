import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import {
  AuditItemModel,
  AuditJobModel,
  type AuditJobState,
  openStates,
} from '../../subgraphs/seo/audit-job/model.ts';

/** Id of the one item of a stored job. */
export const auditItemOf = (jobId: string) => jobId.replace(/^job_/, 'it_');

/** A job with one item, unlike any other; answers its id. An open one is the only open one. */
export async function storeAuditJob(
  installationId: string,
  initiatorId: string,
  state: AuditJobState,
): Promise<string> {
  const at = new Date();
  const _id = newId('auditJob');
  const isOpen = openStates.includes(state);
  if (isOpen) await closeAuditJobs(installationId);
  await scoped(AuditJobModel, installationId).insert({
    _id,
    initiatorId,
    state,
    ...(isOpen ? { active: true as const, slot: 0 } : {}),
    selection: { items: 1, locale: null },
    visibilities: null,
    checks: null,
    ruleset: '2026.1',
    round: 1,
    total: 1,
    createdAt: at,
    startedAt: isOpen ? null : at,
    finishedAt: isOpen ? null : at,
    lastActivityAt: at,
    cancelReason: null,
    version: 1,
  });
  await scoped(AuditItemModel, installationId).insert({
    _id: auditItemOf(_id),
    jobId: _id,
    seq: 1,
    objectType: 'listing',
    objectId: newId('listing'),
    locale: 'en',
    state: isOpen ? 'queued' : 'skipped',
    attempts: isOpen ? 0 : 1,
    lostLeases: 0,
    leaseToken: null,
    leaseUntil: null,
    reason: isOpen ? null : 'content_deleted',
    retryable: false,
    snapshotId: null,
    score: null,
    rating: null,
    issues: null,
    contentVersionAtStart: 1,
    contentVersionAnalysed: null,
    textId: null,
    round: 1,
    finishedAt: isOpen ? null : at,
  });
  return _id;
}

/** Leaves room for another open job. */
export async function closeAuditJobs(installationId: string): Promise<void> {
  await scoped(AuditJobModel, installationId).updateMany(
    { active: true },
    { $set: { state: 'cancelled', finishedAt: new Date() }, $unset: { active: 1, slot: 1 } },
  );
}
