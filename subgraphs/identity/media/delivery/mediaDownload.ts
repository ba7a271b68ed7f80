import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { signFileToken } from '../../../platform/storage/fileToken.ts';
import { originalKey } from '../storageKeys.ts';
import { downloadPolicy, verifiesPapers } from './downloadPolicy.ts';

const linkLifeMs = 5 * 60_000;

/** Returns a link to the original. Staff can get links to verification documents only, and each link is recorded. */
export async function mediaDownload(
  mediaId: string,
  context: RequestContext,
): Promise<{ url: string; expiresAt: Date }> {
  const { platform, installation, installationId, viewer } = context;
  const original = await downloadPolicy.load(mediaId, context);
  if (!original) throw notFound('The file');
  const { media: record } = original;
  if (!downloadPolicy.isOwner(viewer, original) && !verifiesPapers(viewer, record))
    throw ownershipRequired({ type: 'Media', id: mediaId });
  if (record.state !== 'ready' || record.original === null)
    throw new AppError(
      'media_not_ready',
      'This file is not ready yet. Retry when its processing has finished.',
    );
  if (record.purpose === 'verification') {
    await recordAudit(context, { action: 'mediaDownload', target: { type: 'media', id: mediaId } });
  }
  const expiresAt = new Date(platform.now() + linkLifeMs);
  const token = signFileToken(platform.secrets.derive('file'), {
    installationId,
    key: originalKey(installationId, record.original),
    filename: record.filename,
    contentType: record.contentType,
    expiresAt,
    recordId: mediaId,
  });
  return { url: `${installation.baseUrl}/api/v1/files/${token}`, expiresAt };
}
