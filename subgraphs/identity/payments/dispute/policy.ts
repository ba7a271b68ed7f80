import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { Viewer } from '../../../platform/auth/Viewer.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DisputeModel, type DisputeRecord, type DisputeSide } from './model.ts';

/** Disputes by id, batched per request; null for an id of another installation. */
export function disputeLoader({ installationId }: RequestContext): DataLoader<string, DisputeRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('dispute', id));
    const records =
      known.length > 0 ? await scoped(DisputeModel, installationId).find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** On which side somebody is; null for neither. */
export function sideOf(
  viewer: Viewer,
  { payerId, dealerId }: Pick<DisputeRecord, 'payerId' | 'dealerId'>,
): DisputeSide | null {
  if (payerId === viewer.id) return 'payer';
  return viewer.hasDealerRole(dealerId, 'MANAGER') ? 'payee' : null;
}

const load: OwnershipPolicy<DisputeRecord>['load'] = (id, context) => context.loader(disputeLoader).load(id);

/** Either side. */
export const disputePolicy: OwnershipPolicy<DisputeRecord> = {
  load,
  isOwner: (viewer, dispute) => sideOf(viewer, dispute) !== null,
};

/** `@owner(type: "SentDispute")`: only who opened it. */
export const sentDisputePolicy: OwnershipPolicy<DisputeRecord> = {
  load,
  isOwner: (viewer, dispute) => sideOf(viewer, dispute) === 'payer',
};
