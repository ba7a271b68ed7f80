import DataLoader from 'dataloader';
import { recordAuditOfEach } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';

/**
 * Records that a member of the staff reads the documents of a dealer, before the answer contains them: one audit event
 * for each dealer and request, all of them stored in one command.
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
