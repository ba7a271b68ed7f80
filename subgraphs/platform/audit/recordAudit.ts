import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../context/RequestContext.ts';
import { toIpPrefix } from '../context/toIpPrefix.ts';
import { newId } from '../ids/newId.ts';
import { scoped } from '../installation/scoped.ts';
import { type AuditActor, AuditEventModel, type AuditEventRecord } from './store/model.ts';

/** Members of an audit event. */
export interface AuditEntry {
  /** Name of the root field. */
  action: string;
  target: AuditEventRecord['target'];
  /** Actor, if the request has no caller; the caller by default. */
  actor?: AuditActor;
  /** Reason that the actor stated, or the error code of a refusal. */
  reason?: string | null;
  result?: AuditEventRecord['result'];
}

/**
 * Records an action of the caller. It is awaited before the response, and uses the `session` of the change's
 * transaction. No administrative action is therefore without its audit event.
 */
export async function recordAudit(
  context: RequestContext,
  entry: AuditEntry,
  options: { session?: ClientSession } = {},
): Promise<void> {
  await scoped(AuditEventModel, context.installationId).insert(toAuditEvent(context, entry), options);
}

/** Records several actions of the caller of this request in one command. */
export async function recordAuditOfEach(
  context: RequestContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  const events = entries.map((entry) => toAuditEvent(context, entry));
  await scoped(AuditEventModel, context.installationId).insertAbsent(events);
}

/** Returns the audit event of an action in this request. */
export function toAuditEvent(
  context: RequestContext,
  { action, target, actor, reason = null, result = 'allowed' }: AuditEntry,
): Omit<AuditEventRecord, 'installationId'> {
  return {
    _id: newId('auditEvent'),
    ...(actor ? { actor, onBehalfOf: null } : callerOf(context)),
    action,
    target,
    result,
    reason,
    requestId: context.requestId,
    ipPrefix: toIpPrefix(context.clientAddress),
    at: new Date(context.platform.now()),
    count: 1,
  };
}

function callerOf({ viewer }: RequestContext): Pick<AuditEventRecord, 'actor' | 'onBehalfOf'> {
  const { subjectType, dealerId } = viewer.token;
  return { actor: { type: subjectType, id: viewer.id }, onBehalfOf: dealerId ?? null };
}

/** Records an action of a job without a caller. */
export async function recordSystemAudit(
  job: { name: string; installationId: string; at: Date },
  { action, target, reason = null }: Omit<AuditEntry, 'result'>,
  options: { session?: ClientSession } = {},
): Promise<void> {
  await scoped(AuditEventModel, job.installationId).insert(
    {
      _id: newId('auditEvent'),
      actor: { type: 'system', id: job.name },
      onBehalfOf: null,
      action,
      target,
      result: 'allowed',
      reason,
      requestId: null,
      ipPrefix: null,
      at: job.at,
      count: 1,
    },
    options,
  );
}
