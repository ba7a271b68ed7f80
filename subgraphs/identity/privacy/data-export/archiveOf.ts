import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { signFileToken } from '../../../platform/storage/fileToken.ts';
import { storageKey } from '../../../platform/storage/storageKey.ts';
import type { DataExportRecord } from './model.ts';

/** Media type of the archives. */
export const archiveType = 'application/zip';

const linkLifeMs = 15 * 60_000;

/** Returns the storage key of an archive. */
export function archiveKey({
  installationId,
  _id,
}: Pick<DataExportRecord, 'installationId' | '_id'>): string {
  return storageKey(installationId, 'exports', _id);
}

/** Returns whether the archive can be downloaded. */
export function isFetchable({ state, expiresAt }: DataExportRecord, nowMs: number): boolean {
  return state === 'ready' && expiresAt !== null && expiresAt.getTime() > nowMs;
}

/** Returns a link to the archive of an export that is ready. */
export function archiveUrl(
  record: DataExportRecord,
  { platform, installation, installationId }: RequestContext,
): string {
  const token = signFileToken(platform.secrets.derive('file'), {
    installationId,
    key: archiveKey(record),
    filename: `data-${record.createdAt.toISOString().slice(0, 10)}.zip`,
    contentType: archiveType,
    expiresAt: new Date(platform.now() + linkLifeMs),
  });
  return `${installation.baseUrl}/api/v1/files/${token}`;
}
