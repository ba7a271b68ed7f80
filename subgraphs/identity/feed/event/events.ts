import type { GraphQLResolveInfo } from 'graphql';
import { type Guard, readGuard } from '../../../../schema/guards/readGuard.ts';
import { assertGuard } from '../../../platform/auth/checkGuard.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import type { SubscriptioneventsArgs } from '../../identity.generated.ts';
import { mayHear, partiesHeardBy } from '../../kernel/announcement/parties.ts';
import type { Listener } from './Audience.ts';
import { hubOf } from './EventHub.ts';
import { FeedStream } from './FeedStream.ts';
import { decodePlace } from './feedCursor.ts';
import { openStreamsOf } from './OpenStreams.ts';
import { readFeed } from './readFeed.ts';
import { resourceOf } from './toEvent.ts';

/**
 * Streams the caller's feed, from a cursor or from now. The stream ends when the token or the session ends. It also
 * ends when the caller may no longer listen, disconnects, or reads too slowly.
 *
 * @throws AppError `rate_limited` for one stream too many, `invalid_cursor`, `events_expired`
 */
export async function events(
  { after }: SubscriptioneventsArgs,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<FeedStream> {
  const { platform } = context;
  const place = after ? decodePlace(context, after) : null;
  const release = await openStreamsOf(platform).add({
    installationId: context.installationId,
    viewerId: context.viewer.id,
    leftMs: leftMsOf(context),
  });
  try {
    const hub = hubOf(platform);
    await hub.enter();
    const start = place ?? { position: hub.position, atMs: platform.now() };
    return open(context, { start, release, guard: guardOf(info) });
  } catch (error) {
    release();
    throw error;
  }
}

function guardOf({ parentType, fieldName }: GraphQLResolveInfo): Guard {
  const field = parentType.getFields()[fieldName];
  const guard = field && readGuard(field);
  if (!guard) throw new Error(`${fieldName} has no guard.`);
  return guard;
}

interface Opening {
  start: ConstructorParameters<typeof FeedStream>[1];
  release(): void;
  guard: Guard;
}

function open(context: RequestContext, { start, release, guard }: Opening): FeedStream {
  const { platform, installationId } = context;
  const hub = hubOf(platform);
  let { viewer } = context;
  let listener: Listener | undefined;
  const isHeard = (event: Parameters<Listener['hear']>[0]) => mayHear(viewer, resourceOf(event).type);
  const stream = new FeedStream(
    {
      get position() {
        return hub.position;
      },
      read: (stretch) => readFeed(installationId, partiesHeardBy(viewer), stretch),
      attach() {
        listener = listenerOf();
        hub.add(listener);
        // Changes during the initial read were not observed.
        void recheck(false);
      },
      detach() {
        if (listener) hub.remove(listener);
        listener = undefined;
      },
      leave() {
        forget();
        release();
        hub.leave();
      },
    },
    start,
    platform.now,
  );
  const leave = (): void => stream.end();
  const forget = endIn(context, leave);
  if (context.signal?.aborted) leave();
  return stream;

  function listenerOf(): Listener {
    return {
      installationId,
      parties: partiesHeardBy(viewer),
      hear: (event) => isHeard(event) && stream.push(event),
      mark: (position) => stream.mark(position),
      isTouchedBy: (collection, id) => isTouchedBy(viewer, collection, id),
      recheck: () => recheck(true),
    };
  }

  /** Rechecks the viewer. A former member of a dealer gets no further events of it, and an ended session gets none. */
  async function recheck(fresh: boolean): Promise<void> {
    try {
      const identity = await platform.identify(context.authorization, fresh);
      assertGuard(guard, identity, context);
      if (!listener || identity.kind !== 'accepted') return;
      hub.remove(listener);
      viewer = identity.viewer;
      listener = listenerOf();
      hub.add(listener);
    } catch (error) {
      if (!(error instanceof AppError)) platform.log.warn({ err: error }, 'a stream of events is ended');
      leave();
    }
  }
}

/** Calls `end` when the token expires or the client disconnects, until the returned function is called. */
function endIn(context: RequestContext, end: () => void): () => void {
  const { signal } = context;
  const expiry = setTimeout(end, leftMsOf(context)).unref();
  signal?.addEventListener('abort', end);
  return () => {
    clearTimeout(expiry);
    signal?.removeEventListener('abort', end);
  };
}

/**
 * Returns whether a change may affect the viewer. Every change of a dealer counts: the viewer may have become a member.
 */
function isTouchedBy({ token, id }: Viewer, collection: string, changed: string): boolean {
  if (collection === 'sessions') return token.sessionId === changed;
  return collection === 'dealers' || id === changed;
}

/** Returns the remaining lifetime of the token, in milliseconds. */
function leftMsOf({ viewer, platform }: RequestContext): number {
  return viewer.token.expiresAt * 1000 - platform.now();
}
