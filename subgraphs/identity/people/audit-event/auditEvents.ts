import type { QueryFilter } from 'mongoose';
import { AuditEventModel, type AuditEventRecord } from '../../../platform/audit/store/model.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryauditEventsArgs } from '../../identity.generated.ts';

const longestText = 100;

export function auditEvents(
  args: QueryauditEventsArgs,
  context: RequestContext,
): Promise<Connection<AuditEventRecord>> {
  return findPage({
    context,
    collection: reads(AuditEventModel, context.installationId),
    filter: toFilter(args),
    sort: [{ key: 'at', direction: -1 }],
    first: args.first,
    after: args.after,
  });
}

function toFilter(args: QueryauditEventsArgs): QueryFilter<AuditEventRecord> {
  const { actor, target, action, result, from, to } = args;
  for (const [name, text] of Object.entries({ actor, target, action })) {
    if ((text?.length ?? 0) > longestText)
      throw new AppError('malformed_request', `"${name}" must have at most ${longestText} characters.`);
  }
  if (from && to && from >= to) throw new AppError('malformed_request', '"from" must be before "to".');
  const conditions: QueryFilter<AuditEventRecord>[] = [];
  if (actor) conditions.push({ 'actor.id': actor });
  if (target) conditions.push({ 'target.id': target });
  if (action) conditions.push({ action });
  if (result) conditions.push({ result });
  if (from) conditions.push({ at: { $gte: from } });
  if (to) conditions.push({ at: { $lt: to } });
  return conditions.length > 0 ? { $and: conditions } : {};
}
