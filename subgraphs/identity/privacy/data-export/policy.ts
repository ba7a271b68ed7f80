import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';

/** Exports by id, batched per request; null for an id of another installation. */
export const dataExportLoader = recordLoader(DataExportModel, { type: 'dataExport' });

export const dataExportPolicy: OwnershipPolicy<DataExportRecord> = {
  load: (id, context) => context.loader(dataExportLoader).load(id),
  isOwner: (viewer, { userId }) => viewer.id === userId,
};
