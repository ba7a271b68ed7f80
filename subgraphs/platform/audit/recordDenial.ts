import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { typeOfId } from '../ids/newId.ts';
import { toAuditEvent } from './recordAudit.ts';
import type { AuditEventRecord } from './store/model.ts';

/**
 * Records that an accepted caller was refused (403), once for each request and field, with the error code as reason. It
 * does not wait: see AuditBuffer. Other failures and refusals of anonymous callers are not recorded. Questions between
 * subgraphs are not recorded either, because the asking field reports the refusal. Nor is a nested field of a request
 * that accepts partial data.
 *
 * @param action root field as in `publishListing`; below it `Type.field`, and `Type` for an entity
 * @param failure the thrown value
 */
export function recordDenial(
  context: RequestContext,
  action: string,
  failure: unknown,
  target: AuditEventRecord['target'] = null,
): void {
  if (!(failure instanceof AppError) || failure.status !== 403 || context.depth > 0) return;
  if (context.partial && action.includes('.')) return;
  const viewer = context.viewerOrNull;
  if (!viewer) return;
  const recorded = context.loader(recordedActions);
  if (recorded.has(action)) return;
  recorded.add(action);
  const event = toAuditEvent(context, { action, target, reason: failure.code, result: 'denied' });
  // A caller of the wrong installation is recorded only in the caller's own installation, because no record crosses
  // over.
  context.platform.auditBuffer.add({ ...event, installationId: viewer.installationId });
}

const recordedActions = (): Set<string> => new Set();

/**
 * Returns the target of an action: the first of these values that is an id. Other input is never a target, so none of
 * it enters the audit log.
 */
export function targetOf(...candidates: unknown[]): AuditEventRecord['target'] {
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') continue;
    const type = typeOfId(candidate);
    if (type) return { type, id: candidate };
  }
  return null;
}
