import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { CategoryModel, type CategoryRecord } from './model.ts';

/** Categories by id, batched per request; null for an id of another installation. */
export function categoryLoader({
  installationId,
}: RequestContext): DataLoader<string, CategoryRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('category', id));
    const categories = scoped(CategoryModel, installationId);
    const records = known.length > 0 ? await categories.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
