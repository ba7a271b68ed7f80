import type { Platform } from '../context/Platform.ts';
import { feedOf } from './EventFeed.ts';
import { outboxWakeUp } from './outboxFilled.ts';
import { eventsWakeUp } from './relay.ts';

/** While nobody tells this process of changes, it looks for them this often. */
const lookMs = 1000;

/**
 * Wakes the consumers of this process when a relay of another process has stored events, and relays and consumers every
 * second for as long as the stream of changes is down.
 */
export function watchEvents(platform: Platform): () => Promise<void> {
  const { changes, wakeUps } = platform;
  const wakeAll = (): void => {
    wakeUps.wake(outboxWakeUp);
    wakeUps.wake(eventsWakeUp);
  };
  const stop = changes.listen('events', {
    onChange({ id, operation }) {
      if (operation === 'insert' && !feedOf(platform).hasStored(id)) wakeUps.wake(eventsWakeUp);
    },
    onGap: wakeAll,
  });
  const timer = setInterval(() => {
    if (!changes.areTold) wakeAll();
  }, lookMs).unref();
  return async () => {
    clearInterval(timer);
    stop();
  };
}
