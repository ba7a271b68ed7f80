import { type DocumentNode, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Engine, Prepared, Refused } from './Engine.ts';

/** Cache of prepared operations. */
export interface PreparedCacheOptions {
  /** Estimated memory of the operations that are kept; least recently used ones leave first. Default 32 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Called with whether an operation of a client was planned already. */
  readonly onPlanLookup?: ((lookup: 'hit' | 'miss') => void) | undefined;
}

type Prepare = (
  source: string | DocumentNode,
  name: string | null | undefined,
) => Promise<Prepared | Refused>;

/** Measured with documents of 30 to 7,000 characters: the heap that one of them takes when it is prepared. */
const bytesOfEach = 16 * 1024;
const bytesOfCharacter = 24;

/** Memory that a prepared operation may take, estimated from the lengths of its text and of its plan. */
export function estimateBytes(text: string, { planLength, variants }: Prepared): number {
  return variants * (bytesOfEach + bytesOfCharacter * (text.length + planLength));
}

/** Wraps a preparation in a cache with a limit in bytes. Equal concurrent requests share one preparation. */
export function cachePrepared(
  prepare: Prepare,
  { cacheBytes = 32 * 1024 * 1024, onPlanLookup }: PreparedCacheOptions,
): Engine['prepare'] {
  const underWay = new Map<string, Promise<Prepared | Refused>>();
  // One operation must not displace all others.
  const kept = new LRUCache<string, Prepared>({ maxSize: cacheBytes, maxEntrySize: cacheBytes / 16 });
  return async (source, operationName) => {
    const key = `${operationName ?? ''}\n${typeof source === 'string' ? source : print(source)}`;
    const known = kept.get(key) ?? underWay.get(key);
    onPlanLookup?.(known === undefined ? 'miss' : 'hit');
    if (known !== undefined) return known;
    const preparing = prepare(source, operationName);
    underWay.set(key, preparing);
    try {
      const result = await preparing;
      // A refused operation is not kept: it costs little, and junk must not push good operations out.
      if (!('errors' in result)) kept.set(key, result, { size: estimateBytes(key, result) });
      return result;
    } finally {
      underWay.delete(key);
    }
  };
}
