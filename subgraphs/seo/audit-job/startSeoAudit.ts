import type {
  SeoAuditFilterInput,
  SeoAuditRejection,
  StartSeoAuditInput,
} from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { toLower } from '../object/enumCase.ts';
import { loadRuleset } from '../ruleset/rulesets.ts';
import { admitObjects } from './admitObjects.ts';
import { findObjects, visibilitiesOf } from './findObjects.ts';
import { jobsOf } from './jobs.ts';
import type { StoredAuditJob } from './model.ts';
import { readSelection, type Selection } from './readSelection.ts';
import { type NewJob, storeJob } from './storeJob.ts';
import { tellJob } from './tellJob.ts';

/** A job that was started, and what is no part of it. */
export interface StartedAudit {
  job: StoredAuditJob;
  rejected: SeoAuditRejection[];
}

/**
 * Starts an audit job; its items are those that the caller may read now.
 *
 * @throws AppError `validation_failed`, `seo_job_empty`, `seo_job_already_active`, `seo_job_limit`
 */
export async function startSeoAudit(
  context: RequestContext,
  input: StartSeoAuditInput,
): Promise<StartedAudit> {
  const selection = readSelection(input);
  const _id = context.attempt.newId('auditJob');
  // An earlier run under the same key stored it, and died before it could say so.
  const earlier = input.idempotencyKey ? await jobsOf(context).findOne({ _id }) : null;
  const locale = input.locale ?? null;
  const { objects, asked } = await select(context, selection, locale);
  const { admitted, rejected } = await admitObjects(context, objects, locale);
  if (earlier) return { job: earlier, rejected };
  if (admitted.length === 0) throw emptyJob(rejected);
  const { id: ruleset } = await loadRuleset(context);
  const job = toJob(context, {
    _id,
    ruleset,
    ...asked,
    checks: input.checks ? [...input.checks] : null,
    total: admitted.length,
  });
  return { job: await storeJob(context, job, admitted), rejected };
}

async function select(context: RequestContext, selection: Selection, locale: string | null) {
  if ('items' in selection) {
    const { items } = selection;
    return { objects: items, asked: { selection: { items: items.length, locale }, visibilities: null } };
  }
  const { filter } = selection;
  const { objects, examined } = await findObjects(context, filter, locale);
  const visibilities = visibilitiesOf(filter);
  return { objects, asked: { selection: { filter: toStored(filter), examined, locale }, visibilities } };
}

/** As the request wrote it, with the words of REST. */
function toStored({ types, status, ...rest }: SeoAuditFilterInput): object {
  return { types: types.map(toLower), ...(status && { status: status.map(toLower) }), ...rest };
}

function toJob(
  context: RequestContext,
  asked: Pick<StoredAuditJob, '_id' | 'selection' | 'visibilities' | 'checks' | 'total' | 'ruleset'>,
): NewJob {
  const at = new Date(context.platform.now());
  const begin = { initiatorId: context.viewer.id, state: 'pending' as const, round: 1, total: asked.total };
  return {
    ...asked,
    ...begin,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    lastActivityAt: at,
    cancelReason: null,
    version: 1,
    outbox: tellJob(context, 'seo.audit_job.started', begin).outbox.$each,
  };
}

function emptyJob(rejected: SeoAuditRejection[]): AppError {
  return new AppError('seo_job_empty', 'None of the objects can be audited.', {
    rejected: rejected.slice(0, 100).map(({ type, id, code }) => ({ type: type.toLowerCase(), id, code })),
  });
}
