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
 * Cache of verified tokens. An entry only states that this key has verified this text. Time, issuer, audience and the
 * key's presence in its set are checked again on every use.
 */
export interface TokenCache {
  find(text: string): KnownToken | undefined;
  add(text: string, known: KnownToken): void;
  clear(): void;
}

/**
 * Creates a cache. Only verified tokens are cached, so that invalid ones cannot displace them; the least recently used
 * one is evicted.
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

/** Returns a digest of the token, because a memory dump must not reveal live credentials. */
function digestOf(text: string): string {
  return hash('sha256', text, 'base64');
}
