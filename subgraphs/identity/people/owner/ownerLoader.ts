import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { OwnerModel, type OwnerRecord } from './model.ts';

/** Owners by id, batched per request; null for one of whom nothing has been said yet. */
export function ownerLoader({ installationId }: RequestContext): DataLoader<string, OwnerRecord | null> {
  return new DataLoader(async (ids) => {
    const owners = await scoped(OwnerModel, installationId).find({ _id: { $in: [...ids] } });
    const byId = new Map(owners.map((owner) => [owner._id, owner]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
