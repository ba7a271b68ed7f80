import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAuditFilterInput, StartSeoAuditInput } from '../../seo.generated.ts';
import { jobEvent } from '../job/jobEvent.ts';
import { findJob, jobsOf } from '../job/jobs.ts';
import type { AuditItem, AuditJobHead, StoredAuditJob } from '../job/model.ts';
import { countItems } from '../job/reduce.ts';
import { type AdmittedObject, admitObjects, type SeoAuditRejectionParent } from './admitObjects.ts';
import { findObjects, visibilitiesOf } from './findObjects.ts';
import { inSlot } from './openSlot.ts';

/** Started job, and the objects that are not part of it. */
export interface StartedAudit {
  job: AuditJobHead;
  rejected: SeoAuditRejectionParent[];
}

/**
 * Starts an audit job with the objects that the caller may read.
 *
 * @throws AppError `seo_job_empty`, `seo_job_already_active`, `seo_job_limit`
 */
export async function startSeoAudit(
  input: StartSeoAuditInput,
  context: RequestContext,
): Promise<StartedAudit> {
  const _id = context.attempt.newId('auditJob');
  // An earlier run under the same key stored the job, but crashed before its response was recorded.
  const earlier = input.idempotencyKey ? await findJob(context, _id) : null;
  const locale = input.locale ?? null;
  const { objects, asked } = await select(context, input, locale);
  const { admitted, rejected } = await admitObjects(context, objects, locale);
  if (earlier) return { job: earlier, rejected };
  if (admitted.length === 0) throw emptyJob(rejected);
  const { id: ruleset } = await loadRuleset(context);
  const job = toJob(context, admitted, {
    _id,
    ruleset,
    ...asked,
    checks: input.checks ? [...input.checks] : null,
  });
  return { job: await storeJob(context, job), rejected };
}

/** Returns the objects that the input lists, or those that its filter finds. */
async function select(context: RequestContext, { items, filter }: StartSeoAuditInput, locale: string | null) {
  if (!filter) {
    const objects = (items ?? []).map(toObjectRef);
    return { objects, asked: { selection: { items: objects.length, locale }, visibilities: null } };
  }
  const { objects, examined } = await findObjects(context, filter, locale);
  const visibilities = visibilitiesOf(filter);
  return { objects, asked: { selection: { filter: toStored(filter), examined, locale }, visibilities } };
}

/** Returns the selection of the request with the names of REST. */
function toStored({ types, status, ...rest }: SeoAuditFilterInput): SeoAuditFilterInput {
  return { types, ...(status && { status }), ...rest };
}

/** A job that is not stored yet. */
type NewJob = Omit<StoredAuditJob, 'installationId' | 'active' | 'slot'>;

function toJob(
  context: RequestContext,
  admitted: readonly AdmittedObject[],
  asked: Pick<StoredAuditJob, '_id' | 'selection' | 'visibilities' | 'checks' | 'ruleset'>,
): NewJob {
  const at = new Date(context.platform.now());
  const items = admitted.map(toItem);
  const job = {
    ...asked,
    initiatorId: context.viewer.id,
    state: 'pending' as const,
    round: 1,
    total: items.length,
    counts: countItems(items),
    items,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    lastActivityAt: at,
    cancelReason: null,
    version: 1,
  };
  return { ...job, outbox: jobEvent(context, job).outbox.$each };
}

function toItem({ object, locale, contentVersion }: AdmittedObject): AuditItem {
  return {
    objectType: object.type,
    objectId: object.id,
    locale,
    contentVersionAtStart: contentVersion,
    state: 'queued',
    attempts: 0,
    lostLeases: 0,
    retryable: false,
  };
}

async function storeJob(context: RequestContext, job: NewJob): Promise<AuditJobHead> {
  const { items: _items, outbox: _outbox, ...head } = job;
  return inSlot(context, job.initiatorId, async (slot) => {
    const opened = { active: true as const, slot };
    await jobsOf(context).writeEach([{ insert: { ...job, ...opened } }]);
    return { ...head, ...opened, installationId: context.installationId };
  });
}

function emptyJob(rejected: SeoAuditRejectionParent[]): AppError {
  return new AppError('seo_job_empty', 'None of the objects can be audited.', {
    rejected: rejected.slice(0, 100).map(({ type, id, code }) => ({ type, id, code })),
  });
}
