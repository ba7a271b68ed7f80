import { AppError } from '../errors/AppError.ts';
import type { KeyState } from './SigningKey.ts';
import { createTokenCache, type TokenCache } from './TokenCache.ts';
import { type SignatureAlgorithm, toVerificationKeys, type VerificationKey } from './VerificationKey.ts';

/** Members of a key that a key set reads: an own record, or a key of an external issuer without state. */
export interface PublishedKey {
  readonly publicJwk: object;
  readonly state?: KeyState;
}

/** The public keys of one issuer. */
export interface KeySet {
  /**
   * Returns the key with a name; null if the issuer has none. Synchronous if it is cached; only a first load, an
   * outdated set, or an unknown name waits.
   *
   * @throws AppError `unavailable` if no set could ever be loaded, or none since the last drop
   */
  find(kid: string): VerificationKey | null | Promise<VerificationKey | null>;
  /** Returns public halves as the issuer publishes them (RFC 7517, 5). @throws AppError `unavailable` */
  publicJwks(): Promise<readonly object[]>;
  /**
   * Drops the set and every token it verified, immediately. Call it when the stored keys change. A key is trusted again
   * only after it is reloaded, because it may have been removed after a theft.
   */
  drop(): void;
  /** Tokens whose signature a key of this set has verified. */
  readonly verified: TokenCache;
}

/** Source and lifetime of the keys. */
export interface KeySetOptions<Key extends PublishedKey> {
  /** Reads the whole set; must have its own time limit. */
  load: () => Promise<readonly Key[]>;
  /** Allowed algorithms; an issuer's keys for others are omitted. */
  algorithms?: readonly SignatureAlgorithm[];
  /** Milliseconds on a clock that never jumps. */
  now?: () => number;
  /** Unknown names make the set be read again at most once in this time, for all callers together. */
  coolDownMs?: number;
  /** Age at which the set is read again. */
  maxAgeMs?: number;
  /** Maximum age of the last valid set while it cannot be read. */
  maxStaleMs?: number;
  /**
   * Called with the reason why a set could not be read or was refused; the caller of `find` only gets `unavailable`.
   */
  onLoadError?: (error: unknown) => void;
}

/** Pause after a failed load, in milliseconds: short, because a database that is back should be noticed. */
const retryMs = 1000;
/** Part of its age at which a set is renewed in the background, so that busy processes never wait. */
const renewAt = 0.8;

/**
 * Caches the keys of one issuer in memory, always as a whole. A set with two keys of one name, or with a symmetric or
 * private key, is refused as a whole, and the last valid one stays.
 */
export function createKeySet<Key extends PublishedKey>(options: KeySetOptions<Key>): KeySet {
  return new CachedKeySet(options);
}

interface LoadedSet {
  readonly keys: ReadonlyMap<string, VerificationKey>;
  readonly jwks: readonly object[];
  readonly loadedAt: number;
}

class CachedKeySet implements KeySet {
  readonly verified = createTokenCache();
  readonly #options: Required<KeySetOptions<PublishedKey>>;
  #current: LoadedSet | null = null;
  /** The keys of the last load, dropped or not; only to recognise a key that has not changed. */
  #seen: LoadedSet['keys'] = new Map();
  #pending: Promise<void> | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;
  #unknownAt = Number.NEGATIVE_INFINITY;

  constructor(options: KeySetOptions<PublishedKey>) {
    this.#options = {
      algorithms: ['ES256'],
      now: () => performance.now(),
      coolDownMs: 30_000,
      maxAgeMs: 300_000,
      maxStaleMs: 86_400_000,
      onLoadError: () => {},
      ...options,
    };
  }

  find(kid: string): VerificationKey | null | Promise<VerificationKey | null> {
    const set = this.#usableSet();
    if (!set) return this.#loadedSet().then((loaded) => loaded.keys.get(kid) ?? null);
    return set.keys.get(kid) ?? this.#findUnknown(kid);
  }

  async publicJwks(): Promise<readonly object[]> {
    return (this.#usableSet() ?? (await this.#loadedSet())).jwks;
  }

  drop(): void {
    this.#current = null;
    // A load in progress may have read the keys before the change: its result is discarded.
    this.#pending = null;
    this.verified.clear();
  }

  /** Returns the set, if it can be used without waiting. Renews it in the background when it is due. */
  #usableSet(): LoadedSet | null {
    const set = this.#current;
    if (!set) return null;
    const { now, maxAgeMs, maxStaleMs } = this.#options;
    const age = now() - set.loadedAt;
    if (age < maxAgeMs * renewAt) return set;
    const failing = this.#failedAt > set.loadedAt;
    if (age >= (failing ? maxStaleMs : maxAgeMs)) return null;
    if (now() - this.#failedAt >= retryMs) void this.#renew();
    return set;
  }

  /** Waits for a load. The last good set serves when it fails. @throws AppError `unavailable` */
  async #loadedSet(): Promise<LoadedSet> {
    const { now, maxStaleMs } = this.#options;
    if (now() - this.#failedAt >= retryMs) await this.#renew();
    const set = this.#current;
    if (set && now() - set.loadedAt < maxStaleMs) return set;
    throw new AppError('unavailable', 'The signing keys cannot be read at the moment. Retry shortly.', {
      retryAfter: 5,
    });
  }

  /** Looks up an unknown name, which may be new. Invented names must not cause constant reads of the set. */
  #findUnknown(kid: string): null | Promise<VerificationKey | null> {
    const { now, coolDownMs } = this.#options;
    if (!this.#pending) {
      if (now() - this.#unknownAt < coolDownMs) return null;
      this.#unknownAt = now();
    }
    return this.#renew().then(() => this.#current?.keys.get(kid) ?? null);
  }

  /**
   * Loads the set once for all waiting callers; never throws. If the set is dropped meanwhile, the next load counts.
   */
  #renew(): Promise<void> {
    if (this.#pending) return this.#pending;
    const attempt: Promise<void> = this.#readSet().then(
      (set) => {
        if (this.#pending !== attempt) return this.#renew();
        this.#pending = null;
        this.#current = set;
        this.#seen = set.keys;
      },
      (error: unknown) => {
        this.#options.onLoadError(error);
        if (this.#pending !== attempt) return this.#renew();
        this.#pending = null;
        this.#failedAt = this.#options.now();
      },
    );
    this.#pending = attempt;
    return attempt;
  }

  async #readSet(): Promise<LoadedSet> {
    const { load, algorithms, now } = this.#options;
    const loadedAt = now();
    const published = (await load()).filter(({ state }) => state !== 'retired' && state !== 'compromised');
    const jwks = published.map(({ publicJwk }) => publicJwk);
    const keys = toVerificationKeys(jwks, algorithms);
    // An unchanged key stays the same object, so that the tokens it verified stay cached.
    for (const [kid, key] of keys) {
      const before = this.#seen.get(kid);
      if (before?.algorithm === key.algorithm && before.key.equals(key.key)) keys.set(kid, before);
    }
    return { keys, jwks, loadedAt };
  }
}
