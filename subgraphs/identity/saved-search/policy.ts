import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { isId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { SavedSearchModel, type SavedSearchRecord } from './model.ts';

/** Saved searches by id, batched per request; null for an id of another installation. */
function savedSearchLoader({ installationId }: RequestContext): DataLoader<string, SavedSearchRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('savedSearch', id));
    const searches = scoped(SavedSearchModel, installationId);
    const records = known.length > 0 ? await searches.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

export const savedSearchPolicy: OwnershipPolicy<SavedSearchRecord> = {
  load: (id, context) => context.loader(savedSearchLoader).load(id),
  isOwner: (viewer, { userId }) => viewer.id === userId,
};
