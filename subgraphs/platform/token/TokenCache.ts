import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { VerifiedClaims } from './readClaims.ts';
import type { VerificationKey } from './VerificationKey.ts';

/** A token whose signature was verified, with the key that did it. */
export interface KnownToken {
  readonly key: VerificationKey;
  readonly claims: VerifiedClaims;
}

/**
 * Remembers verified tokens. It says only that this key once verified this text: time, issuer, audience and the key
 * still being in its set are checked again on every use.
 */
export interface TokenCache {
  find(text: string): KnownToken | undefined;
  add(text: string, known: KnownToken): void;
  clear(): void;
}

/**
 * Only verified tokens are remembered, so that junk can push nothing out; the least recently used one makes room.
 *
 * @param limit number of tokens, at about one kilobyte each
 */
export function createTokenCache(limit = 10_000): TokenCache {
  const known = new LRUCache<string, KnownToken>({ max: limit });
  return {
    find: (text) => known.get(digestOf(text)),
    add: (text, token) => void known.set(digestOf(text), token),
    clear: () => known.clear(),
  };
}

/** A digest instead of the token: a dump of the memory should not hand out every live credential. */
function digestOf(text: string): string {
  return hash('sha256', text, 'base64');
}
