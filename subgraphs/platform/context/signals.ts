import type { ClientSession } from 'mongoose';

/** When a signal is sent. */
export interface SignalOptions {
  /** The signal is sent when this transaction has ended, because its writes are not visible before. */
  session?: ClientSession | undefined;
  /** Milliseconds until the signal is sent; of several delayed signals of one name the earliest counts. */
  afterMs?: number;
}

/**
 * Signals within this process that there is work. A name is that of a job, which then starts at once, or of a kind of
 * work that several jobs listen to.
 */
export interface Signals {
  send(name: string, options?: SignalOptions): void;
  /** Listens until the returned function is called. */
  listen(name: string, onSignal: () => void): () => void;
}

/** The signals of one process. */
export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();
  const delayed = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  const sendNow = (name: string): void => {
    for (const onSignal of listeners.get(name) ?? []) onSignal();
  };
  const sendLater = (name: string, afterMs: number): void => {
    const at = performance.now() + afterMs;
    const known = delayed.get(name);
    if (known && known.at <= at) return;
    clearTimeout(known?.timer);
    const onTime = (): void => {
      delayed.delete(name);
      sendNow(name);
    };
    delayed.set(name, { at, timer: setTimeout(onTime, afterMs).unref() });
  };
  return {
    send(name, { session, afterMs } = {}) {
      if (session) session.once('ended', () => sendNow(name));
      else if (afterMs !== undefined) sendLater(name, afterMs);
      else sendNow(name);
    },
    listen(name, onSignal) {
      const listening = listeners.get(name) ?? new Set();
      listeners.set(name, listening.add(onSignal));
      return () => void listening.delete(onSignal);
    },
  };
}
