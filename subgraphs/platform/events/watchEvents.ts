import type { Platform } from '../context/Platform.ts';
import { outboxSignal } from '../mongo/outboxFilled.ts';
import { feedOf } from './EventFeed.ts';
import { eventsSignal } from './relay.ts';

/** Interval at which the process reads events while the change stream is unavailable. */
const lookMs = 1000;

/**
 * Signals the consumers of this process when a relay of another process has stored events. While the change stream is
 * unavailable, it signals relays and consumers every second.
 */
export function watchEvents(platform: Platform): () => Promise<void> {
  const { changes, signals } = platform;
  const signalAll = (): void => {
    signals.send(outboxSignal);
    signals.send(eventsSignal);
  };
  const stop = changes.listen('events', {
    async onChange({ id, operation }) {
      if (operation === 'insert' && (await feedOf(platform).isFromElsewhere(id))) signals.send(eventsSignal);
    },
    onGap: signalAll,
  });
  const timer = setInterval(() => {
    if (!changes.areWatched) signalAll();
  }, lookMs).unref();
  return async () => {
    clearInterval(timer);
    stop();
  };
}
