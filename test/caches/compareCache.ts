import type { ClientCache, Data } from './openCaches.ts';
import type { RandomQuery } from './randomQuery.ts';

/** A query and its response. */
export interface Answer {
  readonly query: RandomQuery;
  readonly data: Data;
}

/** Describes the first member in which a read response differs from the response of the server. */
function difference(read: unknown, sent: unknown, path = ''): string | null {
  if (Object.is(read, sent)) return null;
  if (typeof sent !== 'object' || sent === null || typeof read !== 'object' || read === null)
    return `${path}: ${JSON.stringify(read)?.slice(0, 80)} instead of ${JSON.stringify(sent)?.slice(0, 80)}`;
  const keys = new Set([...Object.keys(sent), ...Object.keys(read)]);
  for (const key of keys) {
    const found = difference((read as Data)[key], (sent as Data)[key], `${path}/${key}`);
    if (found) return found;
  }
  return null;
}

/**
 * Stores all responses in one cache, and compares each with what is read at once and at the end. Returns the differences
 * and the number of responses that can be read as a whole at the end.
 */
export async function compareCache(cache: ClientCache, answers: readonly Answer[]) {
  const differences: string[] = [];
  let complete = 0;
  for (const { query, data } of answers) {
    await cache.write(query, data);
    const found = difference(await cache.read(query), data);
    if (found) differences.push(`at once ${found}`);
  }
  for (const { query, data } of answers) {
    const read = await cache.read(query);
    if (read === null) continue;
    complete += 1;
    const found = difference(read, data);
    if (found) differences.push(`at the end ${found}`);
  }
  return { differences, complete };
}
