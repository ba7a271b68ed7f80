/** Words that make one feature: long enough that order counts, short enough that one changed word spoils three. */
const shingleWords = 3;
const halves = 2;
const bitsPerHalf = 32;
const bandCount = 4;
const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** Returns the FNV-1a hash over UTF-16 units. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), prime);
  }
  // FNV leaves the upper bits of short texts similar; this is the finalizer of MurmurHash3.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * Returns the fingerprint of a text: 64 bits as 16 hex digits, in which near copies differ by few bits (Charikar 2002,
 * Similarity estimation techniques from rounding algorithms). `forms` are its word forms in order; fewer than three
 * give one feature. Linear.
 */
export function simHash(forms: readonly string[]): string {
  const votes = new Int32Array(halves * bitsPerHalf);
  const last = Math.max(1, forms.length - shingleWords + 1);
  for (let at = 0; at < last; at += 1) {
    const shingle = forms.slice(at, at + shingleWords).join(' ');
    for (let half = 0; half < halves; half += 1) {
      const bits = hash(shingle, offsetBasis + half);
      for (let bit = 0; bit < bitsPerHalf; bit += 1) {
        const slot = half * bitsPerHalf + bit;
        votes[slot] = (votes[slot] ?? 0) + ((bits >>> bit) & 1 ? 1 : -1);
      }
    }
  }
  let fingerprint = '';
  for (let half = 0; half < halves; half += 1) {
    let bits = 0;
    for (let bit = 0; bit < bitsPerHalf; bit += 1) {
      if ((votes[half * bitsPerHalf + bit] ?? 0) > 0) bits |= 1 << bit;
    }
    fingerprint += (bits >>> 0).toString(16).padStart(8, '0');
  }
  return fingerprint;
}

/** Returns the number of different bits, of 64, between two fingerprints. */
export function distanceOf(one: string, other: string): number {
  let distance = 0;
  for (let at = 0; at < one.length; at += 8) {
    let bits = Number.parseInt(one.slice(at, at + 8), 16) ^ Number.parseInt(other.slice(at, at + 8), 16);
    for (; bits !== 0; bits &= bits - 1) distance += 1;
  }
  return distance;
}

/**
 * Returns the four quarters of a fingerprint with their positions. Two fingerprints that differ in at most three bits
 * share a quarter, so an index over the quarters finds all near copies.
 */
export function bandsOf(fingerprint: string): string[] {
  const width = fingerprint.length / bandCount;
  return Array.from(
    { length: bandCount },
    (_, band) => `${band}:${fingerprint.slice(band * width, (band + 1) * width)}`,
  );
}
