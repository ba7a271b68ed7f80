import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { itemIdOf } from '../../../subgraphs/seo/audits/job/itemIds.ts';
import {
  type AuditItem,
  AuditJobModel,
  type AuditJobState,
} from '../../../subgraphs/seo/audits/job/model.ts';
import { countItems, isOpen as isOpenJob } from '../../../subgraphs/seo/audits/job/reduce.ts';

/** Id of the first item of a stored job. */
export const auditItemOf = (jobId: string) => itemIdOf(jobId, 1);

/** Stores a unique job with one item and returns its id. There is at most one open job. */
export async function storeAuditJob(
  installationId: string,
  initiatorId: string,
  state: AuditJobState,
): Promise<string> {
  const at = new Date();
  const _id = newId('auditJob');
  const isOpen = isOpenJob({ state });
  const items = [storedItem(isOpen, at)];
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
    counts: countItems(items),
    items,
    createdAt: at,
    startedAt: isOpen ? null : at,
    finishedAt: isOpen ? null : at,
    lastActivityAt: at,
    cancelReason: null,
    version: 1,
  });
  return _id;
}

function storedItem(isOpen: boolean, at: Date): AuditItem {
  return {
    objectType: 'listing',
    objectId: newId('listing'),
    locale: 'en',
    contentVersionAtStart: 1,
    state: isOpen ? 'queued' : 'skipped',
    attempts: isOpen ? 0 : 1,
    lostLeases: 0,
    retryable: false,
    reason: isOpen ? null : 'content_deleted',
    finishedAt: isOpen ? null : at,
  };
}

/** Closes the open job, so that another one can be opened. */
export async function closeAuditJobs(installationId: string): Promise<void> {
  await scoped(AuditJobModel, installationId).updateMany(
    { active: true },
    { $set: { state: 'cancelled', finishedAt: new Date() }, $unset: { active: 1, slot: 1 } },
  );
}
