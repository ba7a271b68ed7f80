import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';

/** Exports by id, batched per request; null for an id of another installation. */
export function dataExportLoader({
  installationId,
}: RequestContext): DataLoader<string, DataExportRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('dataExport', id));
    const exports = scoped(DataExportModel, installationId);
    const records = known.length > 0 ? await exports.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

export const dataExportPolicy: OwnershipPolicy<DataExportRecord> = {
  load: (id, context) => context.loader(dataExportLoader).load(id),
  isOwner: (viewer, { userId }) => viewer.id === userId,
};
