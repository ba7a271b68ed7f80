import { EventModel, type EventRecord } from '../../../platform/events/model.ts';

/** Event in a feed. */
export type FeedEvent = Pick<
  EventRecord,
  '_id' | 'position' | 'storedAt' | 'at' | 'type' | 'object' | 'feed'
> & {
  installationId: string;
};

/** Excludes payloads, because the texts of listings are long. */
export const feedProjection = {
  position: 1,
  storedAt: 1,
  at: 1,
  type: 1,
  object: 1,
  feed: 1,
  installationId: 1,
} as const;

/**
 * Returns the event of a whole record without its payload, which may be long and would be buffered for a slow client.
 */
export function toFeedEvent(record: EventRecord): FeedEvent {
  const { _id, position, storedAt, at, type, object, feed, installationId } = record;
  return { _id, position, storedAt, at, type, object, installationId, ...(feed && { feed }) };
}

/** Range in the global order of events. */
export interface Stretch {
  /** Position before the first event. */
  after: number;
  /** Position of the last event that may be included. */
  upTo: number;
  limit: number;
}

/**
 * Returns events for any of these parties, in ascending order. Each party is a separate command, which an index answers
 * in order; a caller has only a few parties.
 */
export async function readFeed(
  installationId: string,
  parties: readonly string[],
  { after, upTo, limit }: Stretch,
): Promise<FeedEvent[]> {
  const parts = await Promise.all(
    parties.map((party) =>
      EventModel.find(
        { installationId, 'feed.party': party, position: { $gt: after, $lte: upTo } },
        feedProjection,
      )
        // With an index on position alone, the database would scan the events of all other parties.
        .hint({ installationId: 1, 'feed.party': 1, position: 1 })
        .sort({ position: 1 })
        .limit(limit)
        .lean<FeedEvent[]>()
        .exec(),
    ),
  );
  if (parts.length === 1) return parts[0] ?? [];
  // A user may be both the buyer and a new member of the dealer; the event is delivered once.
  const byPosition = new Map(parts.flat().map((event) => [event.position, event]));
  return [...byPosition.values()].sort((a, b) => a.position - b.position).slice(0, limit);
}
