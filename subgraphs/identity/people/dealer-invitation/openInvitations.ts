import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DealerInvitationModel, type DealerInvitationRecord } from './model.ts';

/** Invitations of a dealer that can still be accepted, the oldest first; members and they are 200 at most. */
export function openInvitations(
  { installationId, platform }: RequestContext,
  dealerId: string,
): Promise<DealerInvitationRecord[]> {
  return scoped(DealerInvitationModel, installationId).find(
    { dealerId, state: 'pending', expiresAt: { $gt: new Date(platform.now()) } },
    { sort: { createdAt: 1, _id: 1 } },
  );
}
