import DataLoader from 'dataloader';
import { recordAuditOfEach } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';

/**
 * Returns a loader that records when staff read the documents of a dealer, before the response contains them. There is
 * one audit event for each dealer and request; all are stored in one command.
 */
export function documentAuditLoader(context: RequestContext): DataLoader<string, true> {
  return new DataLoader(async (dealerIds) => {
    await recordAuditOfEach(
      context,
      dealerIds.map((id) => ({
        action: 'DealerVerification.documents',
        target: { type: 'dealer', id },
      })),
    );
    return dealerIds.map(() => true);
  });
}
