import type { Readable } from 'node:stream';
import { AppError } from '../../../platform/errors/AppError.ts';
import { openUrl } from '../../../platform/http/openUrl.ts';
import { mediaTypes } from '../../media/limits.ts';
import { mediaLimits } from '../../media/mediaLimits.ts';

/** An image on its way. */
export interface FetchedImage {
  bytes: Readable;
  /** Type stated by the server; processing inspects the bytes. */
  contentType: string;
  /** Must be called in every case. */
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const maxRedirects = 3;

const imageTypes = Object.keys(mediaTypes).filter((type) => mediaTypes[type] === 'image');

/**
 * Requests an image from a URL of a dealer, under the rules of `openUrl`.
 *
 * @throws AppError for a permanent failure; Error for a temporary one
 */
export async function fetchImage(url: string, allowPrivate: boolean): Promise<FetchedImage> {
  const { statusCode, headers, body, close } = await openUrl(url, {
    accept: imageTypes.join(', '),
    timeoutMs,
    maxRedirects,
    allowPrivate,
  });
  try {
    assertImage(statusCode, headers);
  } catch (error) {
    await close();
    throw error;
  }
  const [contentType = ''] = String(headers['content-type']).toLowerCase().split(';', 1);
  return { bytes: body, contentType: contentType.trim(), close };
}

function assertImage(
  statusCode: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): void {
  if (statusCode >= 500 || statusCode === 429)
    throw new Error(`The server answered with status ${statusCode}.`);
  if (statusCode !== 200) throw new AppError('not_found', `The server answered with status ${statusCode}.`);
  const [type = ''] = String(headers['content-type']).toLowerCase().split(';', 1);
  if (!imageTypes.includes(type.trim()))
    throw new AppError(
      'unsupported_media_type',
      `The server did not return an image of one of these types: ${imageTypes.join(', ')}.`,
    );
  const most = mediaLimits.byteSize.image;
  if (Number(headers['content-length'] ?? 0) > most)
    throw new AppError('file_too_large', `An image must have at most ${most} bytes.`);
}
