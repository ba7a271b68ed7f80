import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { storageKey } from '../../../platform/storage/storageKey.ts';
import { signUploadToken } from '../../../platform/storage/uploadToken.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import type { OpenFeedUploadInput } from '../../identity.generated.ts';
import { type FeedFormat, feedFormats } from './feed/readFeed.ts';
import { FeedUploadModel, type FeedUploadRecord } from './model.ts';

/** Maximum size of a feed in bytes. */
export const maxFeedBytes = 10 * 1024 * 1024;
const lifeMs = hourMs;
/** Maximum number of feeds of a dealer that wait for their import. */
const mostOpen = 20;

/** Returns the storage key of a feed. */
export function feedKey(installationId: string, uploadId: string): string {
  return storageKey(installationId, 'feeds', uploadId);
}

/** Returns the upload link of a feed. The guard has admitted the caller. */
export async function openFeedUpload(
  { dealerId, contentType }: OpenFeedUploadInput,
  context: RequestContext,
): Promise<{ uploadToken: string; url: string; maxBytes: number; expiresAt: Date }> {
  const type = contentType.toLowerCase();
  const format = Object.hasOwn(feedFormats, type) ? feedFormats[type] : undefined;
  if (!format) {
    const types = Object.keys(feedFormats).join(' or ');
    throw new AppError('unsupported_media_type', `The type of a feed must be ${types}.`);
  }
  await assertRoom(context, dealerId);
  const { _id, expiresAt } = await storeUpload(context, dealerId, format);
  const { installation, installationId, platform } = context;
  const uploadToken = signUploadToken(platform.secrets.derive('upload'), {
    installationId,
    key: feedKey(installationId, _id),
    contentType,
    byteSize: null,
    mostBytes: maxFeedBytes,
    sha256: null,
    expiresAt,
  });
  const url = `${installation.baseUrl}/api/v1/uploads/${uploadToken}`;
  return { uploadToken, url, maxBytes: maxFeedBytes, expiresAt };
}

/**
 * Checks the number of pending uploads. Feeds without an import are kept for an hour, because their number is limited.
 *
 * @throws AppError `rate_limited`
 */
async function assertRoom({ installationId, platform }: RequestContext, dealerId: string): Promise<void> {
  const open = { dealerId, importId: null, expiresAt: { $gt: new Date(platform.now()) } };
  const count = await scoped(FeedUploadModel, installationId).count(open, { limit: mostOpen });
  if (count < mostOpen) return;
  throw new AppError(
    'rate_limited',
    `The dealer has ${mostOpen} uploaded feeds that were not imported. Import these first.`,
    {
      retryAfter: 600,
    },
  );
}

/** Stores an upload. The record is written first, so bytes without an import are found by it and removed. */
export function storeUpload(
  { installationId, platform }: RequestContext,
  dealerId: string,
  format: FeedFormat,
): Promise<FeedUploadRecord> {
  const createdAt = new Date(platform.now());
  return scoped(FeedUploadModel, installationId).insert({
    _id: newId('feedUpload'),
    dealerId,
    format,
    importId: null,
    facts: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifeMs),
  });
}
