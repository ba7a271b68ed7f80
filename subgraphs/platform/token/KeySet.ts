import { AppError } from '../errors/AppError.ts';
import type { KeyState } from './SigningKey.ts';
import { createTokenCache, type TokenCache } from './TokenCache.ts';
import { type SignatureAlgorithm, toVerificationKeys, type VerificationKey } from './VerificationKey.ts';

/** What a key set reads of a key: an own record, or a key of an external issuer without state. */
export interface PublishedKey {
  readonly publicJwk: object;
  readonly state?: KeyState;
}

/** The public keys of one issuer. */
export interface KeySet {
  /**
   * The key of that name; null when the issuer has none. Answers at once from memory; only a first load, a set past
   * its age, or an unknown name waits.
   *
   * @throws AppError `unavailable` when no set could ever be loaded, or none since the last drop
   */
  find(kid: string): VerificationKey | null | Promise<VerificationKey | null>;
  /** Public halves as the issuer publishes them (RFC 7517, 5). @throws AppError `unavailable` */
  publicJwks(): Promise<readonly object[]>;
  /**
   * Forgets the set and every token it verified, at once. To be called when the stored keys change. What is not
   * loaded again is not trusted: a key may have been dropped because it was stolen.
   */
  drop(): void;
  /** Tokens whose signature a key of this set has verified. */
  readonly verified: TokenCache;
}

/** Where the keys come from and how long they are good. */
export interface KeySetOptions<Key extends PublishedKey> {
  /** Reads the whole set; must have its own time limit. */
  load: () => Promise<readonly Key[]>;
  /** Allow list; an issuer's keys for anything else are left out. */
  algorithms?: readonly SignatureAlgorithm[];
  /** Milliseconds on a clock that never jumps. */
  now?: () => number;
  /** Unknown names make the set be read again at most once in this time, for all callers together. */
  coolDownMs?: number;
  /** Age at which the set is read again. */
  maxAgeMs?: number;
  /** Age up to which the last good set serves while it cannot be read. */
  maxStaleMs?: number;
  /**
   * Called with the reason why a set could not be read or was refused; the caller of `find` learns no more than
   * `unavailable`.
   */
  onLoadError?: (error: unknown) => void;
}

/** Pause after a failed load, in milliseconds: short, because a database that is back should be noticed. */
const retryMs = 1000;
/** Part of its age at which a set is renewed in the background, so that busy processes never wait. */
const renewAt = 0.8;

/**
 * Keeps the keys of one issuer in memory, always as a whole. A set with two keys of one name, or with a symmetric or
 * private key, is refused as a whole and the last good one stays.
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

  /** The set, if it may serve without waiting; renews it in the background when its time comes. */
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

  /** A name that is not in the set may be new. Made-up names must not make everybody read the set all the time. */
  #findUnknown(kid: string): null | Promise<VerificationKey | null> {
    const { now, coolDownMs } = this.#options;
    if (!this.#pending) {
      if (now() - this.#unknownAt < coolDownMs) return null;
      this.#unknownAt = now();
    }
    return this.#renew().then(() => this.#current?.keys.get(kid) ?? null);
  }

  /** One load for everybody who waits; never throws. Should the set be dropped meanwhile, the next load counts. */
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
    // An unchanged key stays the same object, so that the tokens it verified stay known.
    for (const [kid, key] of keys) {
      const before = this.#seen.get(kid);
      if (before?.algorithm === key.algorithm && before.key.equals(key.key)) keys.set(kid, before);
    }
    return { keys, jwks, loadedAt };
  }
}
