import pLimit from 'p-limit';
import { writeAlias } from '../engine/catalogIndex.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';

/** A write to the index: a document, or its deletion. */
export interface DocumentWrite {
  id: string;
  installationId: string;
  /** See `versionOf`. */
  version: number;
  /** Null for a deletion. */
  document: Readonly<Record<string, unknown>> | null;
}

/** A write that the index refused because of its document. */
export interface RefusedWrite {
  write: DocumentWrite;
  error: string;
}

/** The index was deleted, for example because another one replaced it. */
export class IndexGoneError extends Error {}

/** The engine has no capacity for the writes now. */
export class EngineBusyError extends Error {}

/**
 * Returns the version of a document, from the time of the write in the database. The engine refuses a write with an
 * older version, so a late write never replaces a newer one. A removal is newer than a copy of the same millisecond.
 */
export function versionOf(changedAt: Date, isRemoval = false): number {
  return changedAt.getTime() * 2 + (isRemoval ? 1 : 0);
}

/** Limits of a request. */
const mostWrites = 500;
const mostCharacters = 4_000_000;
/** The engine waits for its disk at the end of each request. */
const requestsAtOnce = 4;

/**
 * Applies writes in requests of limited size. Writes that are older than the index have no effect.
 *
 * @returns the writes that the index refused because of their documents
 * @throws IndexGoneError, EngineBusyError
 */
export async function writeDocuments(
  engine: SearchEngine,
  index: string,
  writes: readonly DocumentWrite[],
): Promise<RefusedWrite[]> {
  const limit = pLimit(requestsAtOnce);
  // Versions decide which write of a document wins, so the requests need no order.
  const parts = [...split(writes)].map((part) => limit(() => writePart(engine, index, part)));
  return (await Promise.all(parts)).flat();
}

interface Encoded {
  write: DocumentWrite;
  lines: string[];
}

function* split(writes: readonly DocumentWrite[]): Generator<Encoded[]> {
  let part: Encoded[] = [];
  let characters = 0;
  for (const write of writes) {
    const lines = encode(write);
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    if (part.length > 0 && (part.length === mostWrites || characters + length > mostCharacters)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push({ write, lines });
    characters += length;
  }
  if (part.length > 0) yield part;
}

function encode({ id, installationId, version, document }: DocumentWrite): string[] {
  const about = { _id: id, routing: installationId, version, version_type: 'external' };
  return document === null
    ? [JSON.stringify({ delete: about })]
    : [JSON.stringify({ index: about }), JSON.stringify(document)];
}

async function writePart(
  engine: SearchEngine,
  index: string,
  part: readonly Encoded[],
): Promise<RefusedWrite[]> {
  const body = `${part.flatMap(({ lines }) => lines).join('\n')}\n`;
  const request = { index: writeAlias(index), require_alias: true, body: body as never };
  const { items } = await engine.administer((client) => client.bulk(request));
  return items.flatMap((item, at) => {
    const write = part[at]?.write;
    const { status, error } = Object.values(item)[0] ?? {};
    if (!write || !error || status === 409) return [];
    const reason = [error.type, error.reason, error.caused_by?.reason].filter(Boolean).join(': ');
    if (status === 404) throw new IndexGoneError(reason);
    if (status === undefined || status === 429 || status >= 500) throw new EngineBusyError(reason);
    return [{ write, error: reason }];
  });
}
