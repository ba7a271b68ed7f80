import { DataExportModel } from '../../../subgraphs/identity/privacy/data-export/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a completed archive of a user without its bytes, and returns its id. */
export async function storeExport(installationId: string, userId: string): Promise<string> {
  const at = new Date();
  const inADay = new Date(at.getTime() + 86_400_000);
  const { _id } = await scoped(DataExportModel, installationId).insert({
    _id: newId('dataExport'),
    userId,
    state: 'ready',
    progress: { done: 1, total: 1 },
    attempts: 1,
    fence: 1,
    byteSize: 1,
    sha256: null,
    createdAt: at,
    readyAt: at,
    expiresAt: inADay,
    removeAt: inADay,
  });
  return _id;
}
