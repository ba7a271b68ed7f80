import type { SeoAuditRetryScope } from '../../seo.generated.ts';
import { type AuditJobState, openStates } from './model.ts';

/** Actors that change an audit job; `system` is the job that expires inactive ones. */
type AuditJobTrigger = 'runSeoAuditBatch' | 'cancelSeoAudit' | 'retrySeoAudit' | 'system';

/** States from which a retry of a scope can reopen a job. */
export const openedBy: Readonly<Record<SeoAuditRetryScope, readonly AuditJobState[]>> = {
  failed: ['completed_with_errors'],
  failed_and_cancelled: ['completed_with_errors', 'cancelled', 'expired'],
  items: ['completed', 'completed_with_errors'],
};

/** All transitions: source, target, trigger. */
export const transitions: readonly (readonly [AuditJobState, AuditJobState, AuditJobTrigger])[] = [
  ['pending', 'running', 'runSeoAuditBatch'],
  ['running', 'completed', 'runSeoAuditBatch'],
  ['running', 'completed_with_errors', 'runSeoAuditBatch'],
  ...openStates.flatMap((from) => [
    [from, 'cancelled', 'cancelSeoAudit'] as const,
    [from, 'cancelled', 'system'] as const,
    [from, 'expired', 'system'] as const,
  ]),
  ...[...new Set(Object.values(openedBy).flat())].map((from) => [from, 'running', 'retrySeoAudit'] as const),
];
