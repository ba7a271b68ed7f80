import type { ClientSession } from 'mongoose';

/** Options of a signal. */
export interface SignalOptions {
  /** The signal is sent when this transaction has ended, because its writes are not visible before. */
  session?: ClientSession | undefined;
  /** Delay in milliseconds. Of several delayed signals with one name, the earliest counts. */
  afterMs?: number;
}

/**
 * Signals within this process that there is work. A name is that of a job, which then starts immediately, or of a type
 * of work that several jobs listen to.
 */
export interface Signals {
  send(name: string, options?: SignalOptions): void;
  /** Calls the listener at each signal, until the returned function is called. */
  listen(name: string, onSignal: () => void): () => void;
}

/** Returns the signals of one process. */
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
