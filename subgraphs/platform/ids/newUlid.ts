import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Random bytes for many ids, because a system call for each character costs more than the id. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns a new ULID: 48 bits of time and 80 unpredictable random bits; not monotonic. */
export function newUlid(): string {
  return ulid(undefined, randomFraction);
}

/** Returns one of 256 equal steps, so that all 32 characters are equally likely. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // Clears used bytes, so that issued ids do not stay in memory.
  pool[used] = 0;
  used += 1;
  return byte / 256;
}
