import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

/** Random bytes of many ids at once: asking the system for each character of an id costs more than the id. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** New ULID: 48 bits of time, then 80 random bits that cannot be guessed from another one; not monotonic. */
export function newUlid(): string {
  return ulid(undefined, randomFraction);
}

/** Of 256 equal steps, so that each of 32 characters is as likely as any other. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // Issued ids are not stored.
  pool[used] = 0;
  used += 1;
  return byte / 256;
}
