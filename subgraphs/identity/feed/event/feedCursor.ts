import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { dayMs } from '../../../platform/time/durations.ts';

/** A place in the feeds of everybody: behind the event with this number. */
export interface FeedPlace {
  position: number;
  /** When that event was stored, or nothing had come behind it yet; milliseconds since 1970. */
  atMs: number;
}

/** Events live for seven days; a little less is promised, for clocks that differ. */
const keptMs = 7 * dayMs - 5 * 60_000;
const feed = 'feed';

/** Cursor from which the caller continues. It is valid until the events after it expire. */
export function encodePlace(context: RequestContext, { position, atMs }: FeedPlace): string {
  return encodeCursor(context, feed, [position, atMs]);
}

/** @throws AppError `invalid_cursor`, `events_expired` */
export function decodePlace(context: RequestContext, cursor: string): FeedPlace {
  const [position, atMs] = decodeCursor(context, feed, cursor, Number.POSITIVE_INFINITY);
  const place = { position: Number(position), atMs: Number(atMs) };
  if (context.platform.now() - place.atMs <= keptMs) return place;
  throw new AppError(
    'events_expired',
    'The events after this cursor have expired. Start again without a cursor.',
  );
}
