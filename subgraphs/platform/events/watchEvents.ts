import type mongoose from 'mongoose';
import type { Platform } from '../context/Platform.ts';
import { EventModel } from './model.ts';
import { eventsWakeUp } from './relay.ts';

/** A stream that broke is opened again after this long; consumers look every second meanwhile. */
const reopenMs = 5000;

/**
 * Wakes the consumers of this process when a relay of any process has stored events. Only their ids come this
 * way, whatever they hold.
 */
export function watchEvents({ wakeUps, log }: Pick<Platform, 'wakeUps' | 'log'>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stream: mongoose.mongo.ChangeStream;
  const open = (): void => {
    stream = EventModel.collection.watch(
      [{ $match: { operationType: 'insert' } }, { $project: { _id: 1 } }],
      {
        maxAwaitTimeMS: 1000,
      },
    );
    stream.on('change', () => wakeUps.wake(eventsWakeUp));
    stream.on('error', (error: unknown) => {
      log.info({ err: error }, 'the stream of events is opened again');
      timer = setTimeout(open, reopenMs).unref();
    });
  };
  open();
  return async () => {
    clearTimeout(timer);
    await stream.close();
  };
}
