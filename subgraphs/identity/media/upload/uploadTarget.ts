import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { signUploadToken } from '../../../platform/storage/uploadToken.ts';
import { mediaLimits } from '../mediaLimits.ts';
import type { MediaRecord } from '../model.ts';
import { ownsMedia } from '../policy.ts';
import { uploadKey } from '../storageKeys.ts';

/** URL, method and headers for uploading the bytes of a file. */
interface UploadTarget {
  method: 'PUT';
  url: string;
  headers: { name: string; value: string }[];
  headersByName: Record<string, string>;
  expiresAt: Date;
}

/**
 * Returns the upload target; null unless the file awaits its bytes. Every holder of the URL may upload, so only the
 * owner gets it.
 */
export function uploadTarget(
  record: MediaRecord,
  { platform, installation, installationId, viewer }: RequestContext,
): UploadTarget | null {
  const { state, upload, kind } = record;
  if (state !== 'awaiting_upload' || !upload || upload.expiresAt.getTime() <= platform.now()) return null;
  if (!ownsMedia(viewer, record)) return null;
  const { byteSize, sha256, contentType, expiresAt } = upload;
  const token = signUploadToken(platform.secrets.derive('upload'), {
    installationId,
    key: uploadKey(record),
    contentType,
    byteSize,
    mostBytes: mediaLimits.byteSize[kind],
    sha256,
    expiresAt,
  });
  const headersByName = {
    'Content-Type': contentType,
    ...(byteSize === null ? {} : { 'Content-Length': String(byteSize) }),
  };
  return {
    method: 'PUT',
    url: `${installation.baseUrl}/api/v1/uploads/${token}`,
    headers: Object.entries(headersByName).map(([name, value]) => ({ name, value })),
    headersByName,
    expiresAt,
  };
}
