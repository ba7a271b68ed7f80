import { isMissing, type SearchEngine, type StateSearch } from '../engine/SearchEngine.ts';

/** A document that the index refused. */
export interface DeadLetter {
  index: string;
  installationId: string;
  listingId: string;
  version: number;
  /** Reason of the engine. */
  error: string;
  /** Milliseconds since 1970. */
  at: number;
}

const mostRecords = 1000;
const keyword = { type: 'keyword' } as const;
const mappings = {
  dynamic: false,
  properties: { kind: keyword, index: keyword, installationId: keyword },
} as const;

function stateIndex({ alias }: SearchEngine): `${string}-state` {
  return `${alias}-state`;
}

/**
 * Creates the index of the progress, which is stored beside the catalogue: if the engine loses data, it loses both, and
 * the feed continues from where the restored data ends.
 */
export async function ensureState(engine: SearchEngine): Promise<void> {
  const settings = { index: { number_of_shards: 1, auto_expand_replicas: '0-1' } } as const;
  const index = stateIndex(engine);
  const { [index]: existing } = await engine.administer((client) =>
    client.indices.get({ index, ignore_unavailable: true }),
  );
  if (existing) return;
  try {
    await engine.administer((client) => client.indices.create({ index, body: { settings, mappings } }));
  } catch (error) {
    // Another process was faster.
    if (!String(error).includes('resource_already_exists_exception')) throw error;
  }
}

/** Progress of the feed of an installation. */
export interface Progress {
  /** Every change up to this time was written. */
  settled: Date;
  /** Time of the last reading. */
  readAt: Date;
}

/** Returns the progress of an installation in an index. Null before the first reading. */
export async function readProgress(
  engine: SearchEngine,
  index: string,
  installationId: string,
): Promise<Progress | null> {
  try {
    const { _source } = await engine.administer((client) =>
      client.get({ index: stateIndex(engine), id: progressId(index, installationId) }),
    );
    const { settled, readAt } = _source as { settled: number; readAt: number };
    return { settled: new Date(settled), readAt: new Date(readAt) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export async function saveProgress(
  engine: SearchEngine,
  index: string,
  installationId: string,
  settled: Date,
): Promise<void> {
  const body = { kind: 'progress', index, installationId, settled: settled.getTime(), readAt: Date.now() };
  await engine.administer((client) =>
    client.index({ index: stateIndex(engine), id: progressId(index, installationId), body }),
  );
}

export async function saveDeadLetter(engine: SearchEngine, letter: DeadLetter): Promise<void> {
  await engine.administer((client) =>
    client.index({
      index: stateIndex(engine),
      id: letterId(letter),
      refresh: true,
      body: { kind: 'dead-letter', ...letter },
    }),
  );
}

export async function removeDeadLetter(
  engine: SearchEngine,
  letter: Pick<DeadLetter, 'index' | 'listingId'>,
): Promise<void> {
  try {
    await engine.administer((client) =>
      client.delete({ index: stateIndex(engine), id: letterId(letter), refresh: true }),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Returns the refused documents of an index, at most a thousand. */
export async function listDeadLetters(
  engine: SearchEngine,
  index: string,
  installationId?: string,
): Promise<DeadLetter[]> {
  const request: StateSearch = {
    index: stateIndex(engine),
    body: {
      size: mostRecords,
      query: {
        bool: {
          filter: [
            { term: { kind: { value: 'dead-letter' } } },
            { term: { index: { value: index } } },
            ...(installationId === undefined
              ? []
              : [{ term: { installationId: { value: installationId } } }]),
          ],
        },
      },
    },
  };
  const { hits } = await engine.search(request);
  return hits.hits.map(({ _source }) => _source as unknown as DeadLetter);
}

/** Deletes progress and refused documents of a deleted index, at most a thousand. */
export async function forgetIndex(engine: SearchEngine, index: string): Promise<void> {
  const request: StateSearch = {
    index: stateIndex(engine),
    body: { size: mostRecords, _source: false, query: { term: { index: { value: index } } } },
  };
  const { hits } = await engine.search(request);
  if (hits.hits.length === 0) return;
  const body = hits.hits.map(({ _id }) => ({ delete: { _id } }));
  await engine.administer((client) => client.bulk({ index: stateIndex(engine), body: body as never }));
}

function progressId(index: string, installationId: string): string {
  return `progress:${index}:${installationId}`;
}

function letterId({ index, listingId }: Pick<DeadLetter, 'index' | 'listingId'>): string {
  return `dead-letter:${index}:${listingId}`;
}
