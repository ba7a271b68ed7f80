import type { EventType } from '../../../schema/events.ts';
import type { Platform } from '../../platform/context/Platform.ts';
import { announce } from '../../platform/events/outbox.ts';
import type { EventSubject } from '../../platform/events/toEvents.ts';
import type { ItemCounts } from './countItems.ts';
import type { StoredAuditJob } from './model.ts';

/** What others are told of a job besides its id: whose it is, and how far it came. */
export function tellJob(
  { platform }: { platform: Pick<Platform, 'now'> },
  type: Extract<EventType, `seo.audit_job.${string}`>,
  { initiatorId, state, round, total }: Pick<StoredAuditJob, 'initiatorId' | 'state' | 'round' | 'total'>,
  counts?: ItemCounts,
): ReturnType<typeof announce> {
  const { succeeded, failed, skipped } = counts ?? {};
  const data = { initiatorId, state, round, total, ...(counts && { succeeded, failed, skipped }) };
  return announce({ platform }, type, { data });
}

/** Jobs as the relay tells of them. */
export async function describeAuditJobs(jobs: readonly StoredAuditJob[]): Promise<EventSubject[]> {
  return jobs.map(({ _id, version }) => ({
    object: { type: 'audit_job' as const, id: _id },
    contentVersion: version,
    content: null,
  }));
}
