import { createHash } from 'node:crypto';
import { PassThrough, pipeline } from 'node:stream';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { type FeedFormat, readFeed } from './feed/readFeed.ts';

/** Maximum number of rows of a feed. */
const mostRows = 5000;

/** Result of scanning a feed. */
interface FeedFacts {
  rows: number;
  /** Hexadecimal digest of its bytes. */
  sha256: string;
}

/**
 * Reads a feed completely before its import starts; an unreadable feed is refused as a whole. Returns null if there are
 * no bytes.
 *
 * @throws AppError `validation_failed`, `unknown_field`, `too_many_rows`
 */
export async function scanFeed(storage: Storage, key: string, format: FeedFormat): Promise<FeedFacts | null> {
  const file = await storage.open(key);
  if (!file) return null;
  const hash = createHash('sha256');
  const bytes = new PassThrough();
  bytes.on('data', (chunk: Buffer) => hash.update(chunk));
  bytes.pause();
  pipeline(file.stream, bytes, () => undefined);
  let rows = 0;
  for await (const { number } of readFeed(bytes, format)) {
    rows = number;
    if (rows > mostRows)
      throw new AppError(
        'too_many_rows',
        `A feed must have at most ${mostRows} rows. Send the remaining rows as another feed.`,
      );
  }
  return { rows, sha256: hash.digest('hex') };
}
