import type { QueryFilter } from 'mongoose';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { SessionModel, type SessionRecord } from './model.ts';

/** Sessions by id, including ended ones, batched per request; null for an id of another installation. */
export const sessionLoader = recordLoader(SessionModel, { type: 'session' });

/** Returns the id of a session from its public name; the caller's own session is `current`. */
export function toSessionId(name: string, { viewer }: Pick<RequestContext, 'viewer'>): string {
  return name === 'current' ? viewer.token.sessionId : name;
}

export const sessionPolicy: OwnershipPolicy<SessionRecord> = {
  load: (id, context) => context.loader(sessionLoader).load(toSessionId(id, context)),
  isOwner: (viewer, session) => viewer.id === session.userId,
};

/** Returns a filter for sessions with currently valid tokens. */
export function liveAt(now: Date): QueryFilter<SessionRecord> {
  return { revokedAt: null, idleExpiresAt: { $gt: now }, absoluteExpiresAt: { $gt: now } };
}
