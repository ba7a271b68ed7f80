import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { readsEverything, textScopes } from '../../kernel/object-content/readers.ts';
import { DealerModel, type DealerRecord } from './model.ts';

/** Dealers by id, batched per request; null for an id of another installation. */
export const dealerLoader = recordLoader(DealerModel, { type: 'dealer' });

export const dealerPolicy: OwnershipPolicy<DealerRecord> = {
  load: (id, context) => context.loader(dealerLoader).load(id),
  isOwner: (viewer, dealer) => viewer.membershipOf(dealer._id) !== undefined,
};

/** Returns whether the viewer may read the dealer through a capability of the other two interfaces. */
export function canReadDealer(viewer: Viewer, dealer: DealerRecord): boolean {
  if (dealer.state === 'active') return true;
  if (readsEverything(viewer) || viewer.breadthOf('dealers:read') === 'any') return true;
  if (viewer.membershipOf(dealer._id) === undefined) return false;
  return (
    !viewer.isClient || viewer.hasScope('dealer:read') || textScopes.some((scope) => viewer.hasScope(scope))
  );
}

/** Returns whether the viewer may edit the dealer's texts. */
export function canEditDealer(viewer: Viewer, dealer: DealerRecord): boolean {
  if (!viewer.hasDealerRole(dealer._id, 'MANAGER')) return false;
  return !viewer.isClient || textScopes.some((scope) => viewer.hasScope(scope));
}
