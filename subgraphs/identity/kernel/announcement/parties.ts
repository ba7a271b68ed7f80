import type { ClientScope } from '../../../../schema/permissions.ts';
import type { FeedEntry } from '../../../platform/events/model.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';

/** Recipients of an event at a dealer: all members, its managers and owners, or the members at that location. */
export type Reach = 'members' | 'managers' | { locationId: string | null };

/**
 * Returns the parties of an owner's event: a user by id, or the members of a dealer who may see the object. A new
 * member gets earlier events, and a former member gets none.
 */
export function toParties(owner: { type: 'user' | 'dealer'; id: string }, reach: Reach): string[] {
  if (owner.type === 'user') return [owner.id];
  const managers = `${owner.id}:managers`;
  if (reach === 'managers') return [managers];
  const agents = `${owner.id}:agents`;
  if (reach === 'members') return [managers, agents, `${owner.id}:restricted`];
  return [managers, agents, ...(reach.locationId === null ? [] : [reach.locationId])];
}

/** Returns the parties that the viewer belongs to; at most one for each dealer. */
export function partiesHeardBy(viewer: Viewer): string[] {
  const ofDealers = viewer.principal.memberships.flatMap(({ dealerId, role, locationIds }) => {
    if (role !== 'AGENT') return [`${dealerId}:managers`];
    return locationIds.length === 0 ? [`${dealerId}:agents`] : [`${dealerId}:restricted`, ...locationIds];
  });
  return viewer.isClient ? ofDealers : [viewer.id, ...ofDealers];
}

/** Returns one feed entry for each party, with the same data. */
export function toFeed(parties: readonly string[], data: FeedEntry['data']): FeedEntry[] {
  return parties.map((party) => ({ party, data }));
}

/** Scopes that an API client needs in addition to messages, by the type of an event's object. */
const scopes: Readonly<Record<string, ClientScope>> = {
  conversation: 'messages:read',
  message: 'messages:read',
  listing: 'listings:read',
  listing_import: 'listings:read',
};

/** Returns whether the viewer may receive events of this type. Types without a scope here are about money. */
export function mayHear(viewer: Viewer, resourceType: string): boolean {
  return !viewer.isClient || viewer.hasScope(scopes[resourceType] ?? 'payments:read');
}
