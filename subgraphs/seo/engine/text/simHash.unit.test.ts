import fc from 'fast-check';
import { bandsOf, distanceOf, simHash } from './simHash.ts';

const words = (count: number, seed = 0): string[] =>
  Array.from({ length: count }, (_, index) => `word${(index * 7919 + seed * 104_729) % 5003}`);

describe('the fingerprint of a text', () => {
  test('the fingerprint of a text is the same for the same words, and 16 hex digits', () => {
    expect(simHash(words(300))).toBe(simHash(words(300)));
    expect(simHash(words(300))).toMatch(/^[0-9a-f]{16}$/);
    expect(simHash([])).toMatch(/^[0-9a-f]{16}$/);
  });

  test('hardly changes with one word of four hundred', () => {
    const changed = words(400);
    changed[200] = 'other';
    expect(distanceOf(simHash(words(400)), simHash(changed))).toBeLessThanOrEqual(5);
  });

  test('the fingerprint of a text is far from the one of another text', () => {
    expect(distanceOf(simHash(words(300)), simHash(words(300, 1)))).toBeGreaterThan(15);
  });

  test('knows the order of the words', () => {
    expect(distanceOf(simHash(words(300)), simHash(words(300).reverse()))).toBeGreaterThan(15);
  });
});

test('fingerprints that differ in at most three bits share a band', () => {
  const hex = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(
      hex,
      hex,
      fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 3 }),
      (high, low, bits) => {
        const original = (BigInt(high) << 32n) | BigInt(low);
        const flipped = bits.reduce((value, bit) => value ^ (1n << BigInt(bit)), original);
        const [one, other] = [original, flipped].map((value) => value.toString(16).padStart(16, '0'));
        expect(distanceOf(one ?? '', other ?? '')).toBe(bits.length);
        const shared = new Set(bandsOf(one ?? ''));
        expect(bandsOf(other ?? '').some((band) => shared.has(band))).toBe(true);
      },
    ),
  );
});
