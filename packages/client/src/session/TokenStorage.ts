/** Stored tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAt: number;
  /** Absent where a cookie holds it. */
  readonly refreshToken?: string;
  readonly sessionId: string;
}

/** Storage of tokens, for all tabs or for one process. */
export interface TokenStorage {
  read(): Tokens | undefined;
  write(tokens: Tokens | undefined): void;
  /** Does work that no other holder of this storage does at the same time. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reports changes of the tokens, also by other tabs; returns a function that stops it. */
  watch(changed: () => void): () => void;
}

/** Keeps tokens in this process; the same storage can serve several clients. */
export function memoryStorage(initial?: Tokens): TokenStorage {
  const listeners = new Set<() => void>();
  let tokens = initial;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: () => tokens,
    write(next) {
      tokens = next;
      for (const changed of listeners) changed();
    },
    exclusively(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    watch(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
