import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { DisputeModel, type DisputeRecord, type DisputeSide } from './record/model.ts';

/** Disputes by id, batched per request; null for an id of another installation. */
export const disputeLoader = recordLoader(DisputeModel, { type: 'dispute' });

/** Returns the side of a user, null if the user is on neither. */
export function sideOf(
  viewer: Viewer,
  { payerId, dealerId }: Pick<DisputeRecord, 'payerId' | 'dealerId'>,
): DisputeSide | null {
  if (payerId === viewer.id) return 'payer';
  return viewer.hasDealerRole(dealerId, 'MANAGER') ? 'payee' : null;
}

const load: OwnershipPolicy<DisputeRecord>['load'] = (id, context) => context.loader(disputeLoader).load(id);

/** Both sides of a dispute own it. */
export const disputePolicy: OwnershipPolicy<DisputeRecord> = {
  load,
  isOwner: (viewer, dispute) => sideOf(viewer, dispute) !== null,
};

/** `@guard__owner(type: "SentDispute")` admits only the payer who opened the dispute. */
export const sentDisputePolicy: OwnershipPolicy<DisputeRecord> = {
  load,
  isOwner: (viewer, dispute) => sideOf(viewer, dispute) === 'payer',
};
