import { pause } from '../transport/retry.ts';
import type { TokenStorage, Tokens } from './TokenStorage.ts';

/** Members of `localStorage` that are used. */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const leaseMs = 30_000;

/**
 * Keeps tokens in `localStorage`, for all tabs of an origin: one tab renews them, by a Web Lock where the browser has
 * them and by a lease in the same storage where not; the others take what it got.
 *
 * @param name also that of the lock
 * @param locks null to do without them
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
      if (locks) return locks.request(name, work);
      const owner = await takeLease(store, `${name}.lease`);
      try {
        return await work();
      } finally {
        if (ownerOf(store, `${name}.lease`) === owner) store.removeItem(`${name}.lease`);
      }
    },
    watch(changed) {
      // Told in other tabs than the one that writes; a null key is a storage that was cleared.
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

/** Writes its name where another one's has run out, and has the lease if the name still stands a moment later. */
async function takeLease(store: Store, key: string): Promise<string> {
  const owner = crypto.randomUUID();
  while (ownerOf(store, key) !== owner) {
    if (ownerOf(store, key) === undefined) store.setItem(key, `${owner} ${Date.now() + leaseMs}`);
    await pause(30 + Math.random() * 30);
  }
  return owner;
}

function ownerOf(store: Store, key: string): string | undefined {
  const [owner, until] = store.getItem(key)?.split(' ') ?? [];
  return Number(until) > Date.now() ? owner : undefined;
}
