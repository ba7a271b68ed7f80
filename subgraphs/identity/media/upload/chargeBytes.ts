import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { countExactly } from '../../../platform/rate/countExactly.ts';

/** Number of bytes that a caller may upload per day. */
const bytesPerDay = 1024 ** 3;
const window = { name: 'upload-bytes-day', limit: bytesPerDay, seconds: 24 * 3600 };

/**
 * Charges bytes to the caller's daily quota, all or none.
 *
 * @throws AppError `media_quota_exceeded`
 */
export async function chargeBytes(context: RequestContext, byteSize: number): Promise<void> {
  const { installationId, platform, viewer, skipsRateLimits } = context;
  if (skipsRateLimits || byteSize === 0) return;
  const { admitted, notes } = await countExactly(
    installationId,
    { windows: [window], key: viewer.id, cost: byteSize },
    platform.now(),
  );
  if (admitted) return;
  throw new AppError(
    'media_quota_exceeded',
    'The daily upload limit of 1 GB would be exceeded. Upload this file tomorrow, or a smaller one.',
    { retryAfter: Math.max(...notes.map(({ resetSeconds }) => resetSeconds)) },
  );
}
