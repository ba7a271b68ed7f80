import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { typeOfId } from '../ids/newId.ts';
import { toAuditEvent } from './recordAudit.ts';
import type { AuditEventRecord } from './store/model.ts';

/**
 * Records that an accepted caller was refused (403), once per request and field, with the error's code as reason. It
 * waits for nothing: see AuditBuffer. Other failures, refusals of anonymous callers, and questions between subgraphs,
 * whose answer the asking field reports itself, are not recorded; nor is a nested field of a request that takes what
 * its caller may see.
 *
 * @param action root field as in `publishListing`; below it `Type.field`, and `Type` for an entity
 * @param failure whatever was thrown
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
  // A caller of the wrong installation is recorded in the caller's own installation only: no record crosses over.
  context.platform.auditBuffer.add({ ...event, installationId: viewer.installationId });
}

const recordedActions = (): Set<string> => new Set();

/**
 * What an action was aimed at: the first of these values that is an id. What a client sends besides ids is no target,
 * so nothing of it gets into the audit.
 */
export function targetOf(...candidates: unknown[]): AuditEventRecord['target'] {
  for (const candidate of candidates) {
    if (typeof candidate !== 'string') continue;
    const type = typeOfId(candidate);
    if (type) return { type, id: candidate };
  }
  return null;
}
