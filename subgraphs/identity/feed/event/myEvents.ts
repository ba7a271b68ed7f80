import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { feedOf } from '../../../platform/events/EventFeed.ts';
import { type Connection, pageSize } from '../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../platform/pagination/PageInfo.ts';
import type { QuerymyEventsArgs } from '../../identity.generated.ts';
import { partiesHeardBy } from '../../kernel/announcement/parties.ts';
import { decodePlace, encodePlace, type FeedPlace } from './feedCursor.ts';
import { readFeed } from './readFeed.ts';
import { type EventParent, placeOf, toEvent } from './toEvent.ts';

/** A page of a user's feed, with the cursor for later events. */
export interface EventConnectionParent extends Connection<EventParent> {
  resumeCursor: string;
}

/**
 * Returns a page of the caller's feed in ascending order, up to what is stored at the time of the request. No event is
 * stored before that position later, so a client that continues from there misses and duplicates nothing.
 */
export async function myEvents(
  { first, after }: QuerymyEventsArgs,
  context: RequestContext,
): Promise<EventConnectionParent> {
  const { viewer, installationId, platform } = context;
  const limit = pageSize(first);
  const atMs = platform.now();
  const start = after ? decodePlace(context, after) : { position: 0, atMs };
  const head = Math.max(await feedOf(platform).head(), start.position);
  const found = await readFeed(installationId, partiesHeardBy(viewer), {
    after: start.position,
    upTo: head,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const hasNextPage = found.length > limit;
  const last = page.at(-1);
  const end: FeedPlace = hasNextPage && last ? placeOf(last) : { position: head, atMs };
  const resumeCursor = encodePlace(context, end);
  const nodes = page.flatMap((event) => toEvent(event, context) ?? []);
  return {
    nodes,
    pageInfo: toPageInfo(nodes, {
      hasNextPage,
      after,
      cursorOf: ({ cursor }) => cursor,
      // Behind events that are no longer visible to the caller.
      ...(hasNextPage && { endCursor: () => resumeCursor }),
    }),
    resumeCursor,
  };
}
