import type { ClientSession } from 'mongoose';
import type { Platform } from '../context/Platform.ts';

/** Who sleeps until there is work, in this process. */
export interface WakeUps {
  /** Wakes whoever listens to this name; nobody may be there. */
  wake(name: string): void;
  /** Wakes once, so much later; of several calls for one name the earliest counts. */
  wakeLater(name: string, afterMs: number): void;
  /** Listens until the function that it answers is called. */
  listen(name: string, onWake: () => void): () => void;
}

export function createWakeUps(): WakeUps {
  const listeners = new Map<string, Set<() => void>>();
  const later = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  const wake = (name: string): void => {
    for (const onWake of listeners.get(name) ?? []) onWake();
  };
  return {
    wake,
    wakeLater(name, afterMs) {
      const at = performance.now() + afterMs;
      const known = later.get(name);
      if (known && known.at <= at) return;
      clearTimeout(known?.timer);
      const ring = (): void => {
        later.delete(name);
        wake(name);
      };
      later.set(name, { at, timer: setTimeout(ring, afterMs).unref() });
    },
    listen(name, onWake) {
      const listening = listeners.get(name) ?? new Set();
      listeners.set(name, listening.add(onWake));
      return () => void listening.delete(onWake);
    },
  };
}

/**
 * Says that a job has work: it starts at once, or a moment later where its holder is another process.
 *
 * @param session of a transaction: it is said when that ends, because nothing can be seen before
 * @param afterMs it is said so much later; a process that ends meanwhile does not say it
 */
export function wakeJob(
  { wakeUps }: Pick<Platform, 'wakeUps'>,
  name: string,
  { session, afterMs }: { session?: ClientSession | undefined; afterMs?: number } = {},
): void {
  if (session) session.once('ended', () => wakeUps.wake(name));
  else if (afterMs !== undefined) wakeUps.wakeLater(name, afterMs);
  else wakeUps.wake(name);
}
