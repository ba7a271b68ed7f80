import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { repeatableId } from '../../../platform/ids/newId.ts';
import { mayHear, partiesHeardBy } from '../../kernel/announcement/parties.ts';
import { encodePlace, type FeedPlace } from './feedCursor.ts';
import type { FeedEvent } from './readFeed.ts';

/** Parent of the resolvers of `Event`. */
export interface EventParent {
  id: string;
  cursor: string;
  type: string;
  resource: { type: string; id: string };
  at: Date;
  data: Readonly<Record<string, unknown>>;
}

/** Parent of the resolvers of `EventResource`. */
export type EventResourceParent = EventParent['resource'];

/** Returns the position of a client that has received this event. */
export function placeOf({ position, storedAt }: FeedEvent): FeedPlace {
  return { position, atMs: storedAt.getTime() };
}

/** Returns an event as the viewer sees it; null if the viewer is no longer one of its parties. */
export function toEvent(event: FeedEvent, context: RequestContext): EventParent | null {
  const parties = partiesHeardBy(context.viewer);
  const copy = event.feed?.find(({ party }) => parties.includes(party));
  const resource = resourceOf(event);
  if (!copy || !mayHear(context.viewer, resource.type)) return null;
  return {
    id: repeatableId('event', event._id),
    cursor: encodePlace(context, placeOf(event)),
    type: nameOf(event),
    resource,
    at: event.at,
    data: copy.data,
  };
}

/**
 * Returns the subject of an event. Events about messages are ordered by conversation, but their subject is the message.
 */
export function resourceOf({ type, object, feed }: FeedEvent): EventParent['resource'] {
  const messageId = type.startsWith('message.') ? feed?.[0]?.data.messageId : undefined;
  return typeof messageId === 'string' ? { type: 'message', id: messageId } : object;
}

/**
 * Returns the public name: `listing.published` for `object.published` of a listing. Most names are the same everywhere.
 */
function nameOf({ type, object }: FeedEvent): string {
  const [subject, verb = ''] = type.split('.');
  return subject === 'object' ? `${object.type}.${verb}` : type;
}
