import DataLoader from 'dataloader';
import { toAuditEvent } from '../../../platform/audit/recordAudit.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';

/**
 * Records that staff viewed the documents of a dealer, before they are shown: an event for each dealer, once a
 * request, one command for all of them.
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
