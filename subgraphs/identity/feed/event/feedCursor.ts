import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { dayMs } from '../../../platform/time/durations.ts';

/** A position in all feeds: after the event with this number. */
export interface FeedPlace {
  position: number;
  /** When that event was stored, or a time before any later event; milliseconds since 1970. */
  atMs: number;
}

/** Guaranteed lifetime of events. They live for seven days; the guarantee is shorter to allow for clock skew. */
const keptMs = 7 * dayMs - 5 * 60_000;
const feed = 'feed';

/** Returns the cursor from which the caller continues. It is valid until the events after it expire. */
export function encodePlace(context: RequestContext, { position, atMs }: FeedPlace): string {
  return encodeCursor(context, feed, [position, atMs]);
}

/**
 * Returns the position that a cursor encodes.
 *
 * @throws AppError `invalid_cursor`, `events_expired`
 */
export function decodePlace(context: RequestContext, cursor: string): FeedPlace {
  const [position, atMs] = decodeCursor(context, feed, cursor, Number.POSITIVE_INFINITY);
  const place = { position: Number(position), atMs: Number(atMs) };
  if (context.platform.now() - place.atMs <= keptMs) return place;
  throw new AppError(
    'events_expired',
    'The events after this cursor have expired. Start again without a cursor.',
  );
}
