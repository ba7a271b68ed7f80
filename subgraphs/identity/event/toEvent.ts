import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { repeatableId } from '../../platform/ids/newId.ts';
import { encodePlace, type FeedPlace } from './feedCursor.ts';
import { partiesHeardBy } from './parties.ts';
import type { FeedEvent } from './readFeed.ts';

/** What resolvers of `Event` receive. */
export interface EventParent {
  id: string;
  cursor: string;
  type: string;
  resource: { type: string; id: string };
  at: Date;
  data: Readonly<Record<string, unknown>>;
}

/** Where somebody is who has heard it. */
export function placeOf({ position, storedAt }: FeedEvent): FeedPlace {
  return { position, atMs: storedAt.getTime() };
}

/** An event as the viewer is told it. */
export function toEvent(event: FeedEvent, context: RequestContext): EventParent {
  const parties = partiesHeardBy(context.viewer);
  const { data = {} } = event.feed?.find(({ party }) => parties.includes(party)) ?? {};
  const { messageId } = data;
  const type = nameOf(event);
  const isMessage = type.startsWith('message.') && typeof messageId === 'string';
  return {
    id: repeatableId('event', event._id),
    cursor: encodePlace(context, placeOf(event)),
    type,
    resource: isMessage ? { type: 'message', id: messageId } : event.object,
    at: event.at,
    data,
  };
}

/** `listing.published` for `object.published` of a listing; most names are what they are everywhere. */
function nameOf({ type, object }: FeedEvent): string {
  const [subject, verb = ''] = type.split('.');
  return subject === 'object' ? `${object.type}.${verb}` : type;
}
