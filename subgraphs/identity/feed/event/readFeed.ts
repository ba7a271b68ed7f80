import { EventModel, type EventRecord } from '../../../platform/events/model.ts';

/** Event in a feed. */
export type FeedEvent = Pick<
  EventRecord,
  '_id' | 'position' | 'storedAt' | 'at' | 'type' | 'object' | 'feed'
> & {
  installationId: string;
};

/** Payloads stay where they are: texts of listings are long. */
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

/** A stretch of the one order of all events. */
export interface Stretch {
  /** Position before the first one. */
  after: number;
  /** Position of the last one that may be in it. */
  upTo: number;
  limit: number;
}

/**
 * Events for any of these parties, in ascending order. Each party is a command of its own, which an index answers in
 * order; a caller has a few parties at most.
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
        // By position alone an engine would read past the events of all other parties.
        .hint({ installationId: 1, 'feed.party': 1, position: 1 })
        .sort({ position: 1 })
        .limit(limit)
        .lean<FeedEvent[]>()
        .exec(),
    ),
  );
  if (parts.length === 1) return parts[0] ?? [];
  // A user may be a buyer and, by now, a member of the dealer: the event is delivered once.
  const byPosition = new Map(parts.flat().map((event) => [event.position, event]));
  return [...byPosition.values()].sort((a, b) => a.position - b.position).slice(0, limit);
}
