import type { Readable } from 'node:stream';
import type { FeedRow } from './FeedRow.ts';
import { readLines } from './readLines.ts';
import { readTable } from './readTable.ts';
import { readText } from './readText.ts';

/** Format of a feed. */
export type FeedFormat = 'csv' | 'ndjson';

/** Media types of feeds. */
export const feedFormats: Readonly<Record<string, FeedFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

/**
 * Yields the rows of a feed. Only one row and the bytes in transit are in memory.
 *
 * @throws AppError if the feed is unreadable as a whole; earlier rows may already have been yielded
 */
export async function* readFeed(bytes: Readable, format: FeedFormat): AsyncGenerator<FeedRow> {
  try {
    const text = readText(bytes);
    yield* format === 'csv' ? readTable(text) : readLines(text);
  } finally {
    bytes.destroy();
  }
}
