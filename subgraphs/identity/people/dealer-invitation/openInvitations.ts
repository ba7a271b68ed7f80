import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerInvitationModel, type DealerInvitationRecord } from './model.ts';

/** Returns the open invitations of a dealer in ascending order. Together with the members they are 200 at most. */
export function openInvitations(
  { installationId, platform }: RequestContext,
  dealerId: string,
): Promise<DealerInvitationRecord[]> {
  return scoped(DealerInvitationModel, installationId).find(
    { dealerId, state: 'pending', expiresAt: { $gt: new Date(platform.now()) } },
    { sort: { createdAt: 1, _id: 1 } },
  );
}
