import { cachePrepared, estimateBytes } from './cachePrepared.ts';
import type { Prepared, Refused } from './Engine.ts';

const preparedWith = (planLength: number, variants = 1) => ({ planLength, variants }) as Prepared;

/** A cache, with the preparations and lookups that it makes. */
function open(cacheBytes: number, result: Prepared | Refused = preparedWith(1000)) {
  const prepared: string[] = [];
  const lookups: string[] = [];
  const prepare = cachePrepared(
    async (source) => {
      prepared.push(String(source));
      return result;
    },
    { cacheBytes, onPlanLookup: (lookup) => lookups.push(lookup) },
  );
  return { prepare, prepared, lookups };
}

test('the cache stays within its bytes with 33,000 distinct operations', async () => {
  const cacheBytes = 4 * 1024 * 1024;
  const cache = open(cacheBytes);
  const texts = Array.from({ length: 33_000 }, (_, index) => `{ a${index}: me { id } }`);
  for (const text of texts) await cache.prepare(text);
  cache.lookups.length = 0;
  // The most recent operations first, up to the first evicted one.
  for (const text of texts.reverse()) {
    await cache.prepare(text);
    if (cache.lookups.at(-1) === 'miss') break;
  }
  const each = estimateBytes(texts[0] ?? '', preparedWith(1000));
  const kept = cache.lookups.filter((lookup) => lookup === 'hit').length;
  expect(kept * each).toBeLessThanOrEqual(cacheBytes);
  expect((kept + 2) * each).toBeGreaterThan(cacheBytes);
});

test('the estimated bytes grow with the text, the plan and the number of variants', () => {
  const usual = estimateBytes('{ me { id } }', preparedWith(100));
  expect(estimateBytes(`{ me { ${'id '.repeat(100)} } }`, preparedWith(100))).toBeGreaterThan(usual);
  expect(estimateBytes('{ me { id } }', preparedWith(1000))).toBeGreaterThan(usual);
  expect(estimateBytes('{ me { id } }', preparedWith(100, 4))).toBe(4 * usual);
});

test('an operation that exceeds a sixteenth of the cache is not cached', async () => {
  const cache = open(1024 * 1024, preparedWith(10_000));
  await cache.prepare('{ me { id } }');
  await cache.prepare('{ me { id } }');
  expect(cache.lookups).toEqual(['miss', 'miss']);
});

test('equal requests share one preparation, concurrently and afterwards', async () => {
  const cache = open(1024 * 1024, preparedWith(10));
  const [first, second] = await Promise.all([cache.prepare('{ a }'), cache.prepare('{ a }')]);
  expect(second).toBe(first);
  expect(await cache.prepare('{ a }')).toBe(first);
  expect(await cache.prepare('{ a }', 'named')).toBe(first);
  expect(cache.prepared).toEqual(['{ a }', '{ a }']);
  expect(cache.lookups).toEqual(['miss', 'hit', 'hit', 'miss']);
});

test('the cache keeps no refused operation and no failed preparation', async () => {
  const refused = open(1024 * 1024, { errors: [] });
  for (let turn = 0; turn < 2; turn++) await refused.prepare('{ a }');
  expect(refused.prepared).toHaveLength(2);
  let turns = 0;
  const prepare = cachePrepared(() => Promise.reject(new Error(`turn ${++turns}`)), {});
  await expect(prepare('{ a }')).rejects.toThrow('turn 1');
  await expect(prepare('{ a }')).rejects.toThrow('turn 2');
});
