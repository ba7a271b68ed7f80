import type { ClientSession } from 'mongoose';
import type { Platform } from '../context/Platform.ts';

/** Who sleeps until there is work, in this process. */
export interface WakeUps {
  /** Wakes whoever listens to this name; nobody may be there. */
  wake(name: string): void;
  /** Listens until the function that it answers is called. */
  listen(name: string, onWake: () => void): () => void;
}

export function createWakeUps(): WakeUps {
  const listeners = new Map<string, Set<() => void>>();
  return {
    wake(name) {
      for (const onWake of listeners.get(name) ?? []) onWake();
    },
    listen(name, onWake) {
      const listening = listeners.get(name) ?? new Set();
      listeners.set(name, listening.add(onWake));
      return () => void listening.delete(onWake);
    },
  };
}

/**
 * Says that a job has work: where its holder is this process, it starts at once; elsewhere it finds the work when its
 * time comes. With the `session` of a transaction it is said when that ends, because nothing can be seen before.
 */
export function wakeJob(
  { wakeUps }: Pick<Platform, 'wakeUps'>,
  name: string,
  { session }: { session?: ClientSession | undefined } = {},
): void {
  if (session) session.once('ended', () => wakeUps.wake(name));
  else wakeUps.wake(name);
}
