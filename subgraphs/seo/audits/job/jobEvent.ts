import type { Platform } from '../../../platform/context/Platform.ts';
import { announce } from '../../../platform/events/outbox.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import type { AuditJobHead } from './model.ts';
import { isOpen } from './reduce.ts';

type Source = { platform: Pick<Platform, 'now'> };

/** Returns the outbox entries of a job in its new state; each event contains the job's id. */
export function jobEvent(
  source: Source,
  { initiatorId, state, round, total, counts }: Omit<AuditJobHead, 'installationId'>,
): ReturnType<typeof announce> {
  const data = { initiatorId, state, round, total };
  if (state === 'cancelled' || state === 'expired')
    return announce(source, `seo.audit_job.${state}`, { data });
  if (isOpen({ state })) return announce(source, 'seo.audit_job.started', { data });
  const { succeeded, failed, skipped } = counts;
  return announce(source, 'seo.audit_job.finished', { data: { ...data, succeeded, failed, skipped } });
}

/** Returns jobs for publication by the relay. */
export async function describeAuditJobs(jobs: readonly AuditJobHead[]): Promise<EventSubject[]> {
  return jobs.map(({ _id, version }) => ({
    object: { type: 'audit_job' as const, id: _id },
    contentVersion: version,
    content: null,
  }));
}
