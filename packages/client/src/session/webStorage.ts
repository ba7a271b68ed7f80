import { pause } from '../pause.ts';
import type { TokenStorage, Tokens } from './TokenStorage.ts';

/** Members of `localStorage` that are used. */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const leaseMs = 30_000;

/**
 * Stores tokens in `localStorage`, for all tabs of an origin. One tab renews them, using a Web Lock or, in browsers
 * without them, a lease in the same storage; the others use its result.
 *
 * @param name also that of the lock
 * @param locks null to use the lease
 */
export function webStorage(
  store: Store = globalThis.localStorage,
  name = 'trigate',
  locks: Pick<LockManager, 'request'> | null = globalThis.navigator?.locks ?? null,
): TokenStorage {
  const listeners = new Set<() => void>();
  return {
    read() {
      try {
        return JSON.parse(store.getItem(name) ?? 'null') ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(tokens: Tokens | undefined) {
      if (tokens) store.setItem(name, JSON.stringify(tokens));
      else store.removeItem(name);
      for (const changed of listeners) changed();
    },
    async exclusively(work) {
      const seen = store.getItem(name);
      const afterOthers = async () => {
        await news(() => store.getItem(name) !== seen);
        return work();
      };
      if (!locks) return underLease(store, `${name}.lease`, work, afterOthers);
      const alone = await locks.request(name, { ifAvailable: true }, async (lock) =>
        lock ? { result: await work() } : undefined,
      );
      return alone ? alone.result : locks.request(name, afterOthers);
    },
    watch(changed) {
      // Called in other tabs than the writing one; a null key means that the storage was cleared.
      const heard = ({ key }: StorageEvent) => {
        if (key === name || key === null) changed();
      };
      listeners.add(changed);
      globalThis.addEventListener?.('storage', heard);
      return () => {
        listeners.delete(changed);
        globalThis.removeEventListener?.('storage', heard);
      };
    },
  };
}

/**
 * Waits for a write of another tab, which becomes visible shortly after its lock, because it is transferred separately.
 */
async function news(hasCome: () => boolean): Promise<void> {
  for (let waits = 0; waits < 15 && !hasCome(); waits += 1) await pause(20);
}

async function underLease<Result>(
  store: Store,
  key: string,
  work: () => Promise<Result>,
  afterOthers: () => Promise<Result>,
): Promise<Result> {
  const { owner, isFirst } = await takeLease(store, key);
  const release = () => {
    if (ownerOf(store, key) === owner) store.removeItem(key);
  };
  // A closed tab runs no `finally`; the others would wait for the lease to expire.
  globalThis.addEventListener?.('pagehide', release);
  try {
    return await (isFirst ? work() : afterOthers());
  } finally {
    globalThis.removeEventListener?.('pagehide', release);
    release();
  }
}

/**
 * Writes its name if the lease of another tab has expired. It holds the lease if the name is unchanged a moment later.
 */
async function takeLease(store: Store, key: string): Promise<{ owner: string; isFirst: boolean }> {
  const owner = crypto.randomUUID();
  let isFirst = true;
  for (;;) {
    const other = ownerOf(store, key);
    if (other === undefined) store.setItem(key, `${owner} ${Date.now() + leaseMs}`);
    else isFirst = false;
    await pause(30 + Math.random() * 30);
    const present = ownerOf(store, key);
    if (present === owner) return { owner, isFirst };
    isFirst = false;
  }
}

function ownerOf(store: Store, key: string): string | undefined {
  const [owner, until] = store.getItem(key)?.split(' ') ?? [];
  return Number(until) > Date.now() ? owner : undefined;
}
