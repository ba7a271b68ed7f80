import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { signFileToken } from '../../../platform/storage/fileToken.ts';
import type { MediaRecord, StoredRendition } from '../model.ts';
import { publicPurposes, renditionKey, renditionPath } from '../storageKeys.ts';

/** Lifetime of a private link: as long as a page with files is typically open. */
const linkLifeMs = 15 * 60_000;

/** Returns the URL of a rendition: public and permanent, or signed. */
export function renditionUrl(
  record: MediaRecord,
  rendition: StoredRendition,
  { platform, installation, installationId }: RequestContext,
): string {
  const { baseUrl } = installation;
  if (publicPurposes.includes(record.purpose)) return `${baseUrl}${renditionPath(record, rendition)}`;
  const token = signFileToken(platform.secrets.derive('file'), {
    installationId,
    key: renditionKey(record, rendition),
    filename: `${rendition.name}.${rendition.format === 'jpeg' ? 'jpg' : rendition.format}`,
    contentType: `image/${rendition.format}`,
    expiresAt: new Date(platform.now() + linkLifeMs),
    recordId: record._id,
  });
  return `${baseUrl}/api/v1/files/${token}`;
}
