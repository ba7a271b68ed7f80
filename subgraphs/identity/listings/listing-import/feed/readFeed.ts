import type { Readable } from 'node:stream';
import type { FeedRow } from './FeedRow.ts';
import { readLines } from './readLines.ts';
import { readTable } from './readTable.ts';
import { readText } from './readText.ts';

/** How a feed is written. */
export type FeedFormat = 'csv' | 'ndjson';

/** Media types of feeds. */
export const feedFormats: Readonly<Record<string, FeedFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
};

/**
 * The rows of a feed, one after the other; no more of it is in memory than a row and the bytes on their way.
 *
 * @throws AppError for a feed that cannot be read as a whole; possibly behind rows that could
 */
export async function* readFeed(bytes: Readable, format: FeedFormat): AsyncGenerator<FeedRow> {
  try {
    const text = readText(bytes);
    yield* format === 'csv' ? readTable(text) : readLines(text);
  } finally {
    bytes.destroy();
  }
}
