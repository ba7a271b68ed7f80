import { type DocumentNode, print } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Engine, Prepared, Refused } from './Engine.ts';

/** Options of the cache of prepared operations. */
export interface PreparedCacheOptions {
  /** Maximum estimated memory of cached operations; the least recently used ones are evicted. 16 MiB by default. */
  readonly cacheBytes?: number | undefined;
  /** Called with whether an operation of a client was already planned. */
  readonly onPlanLookup?: ((lookup: 'hit' | 'miss') => void) | undefined;
}

type Prepare = (
  source: string | DocumentNode,
  name: string | null | undefined,
) => Promise<Prepared | Refused>;

/** Heap size of one prepared document, measured with documents of 30 to 7,000 characters. */
const bytesOfEach = 16 * 1024;
const bytesOfCharacter = 24;

/** Estimates the memory of a prepared operation from the lengths of its text and of its plan. */
export function estimateBytes(text: string, { planLength, variants }: Prepared): number {
  return variants * (bytesOfEach + bytesOfCharacter * (text.length + planLength));
}

/** Wraps a preparation in a cache with a limit in bytes. Equal concurrent requests share one preparation. */
export function cachePrepared(
  prepare: Prepare,
  { cacheBytes = 16 * 1024 * 1024, onPlanLookup }: PreparedCacheOptions,
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
      // A refused operation is not cached: it costs little, and invalid operations must not displace valid ones.
      if (!('errors' in result)) kept.set(key, result, { size: estimateBytes(key, result) });
      return result;
    } finally {
      underWay.delete(key);
    }
  };
}
