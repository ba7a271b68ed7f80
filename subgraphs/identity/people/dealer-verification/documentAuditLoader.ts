import DataLoader from 'dataloader';
import { toAuditEvent } from '../../../platform/audit/recordAudit.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';

/**
 * Remembers that somebody of the staff looked at the documents of a dealer, before he is shown them: a line for each
 * dealer, once a request, one command for all of them.
 */
export function documentAuditLoader(context: RequestContext): DataLoader<string, true> {
  return new DataLoader(async (dealerIds) => {
    const events = dealerIds.map((id) =>
      toAuditEvent(context, { action: 'DealerVerification.documents', target: { type: 'dealer', id } }),
    );
    await scoped(AuditEventModel, context.installationId).insertAbsent(events);
    return dealerIds.map(() => true);
  });
}
