import DataLoader from 'dataloader';
import type { QueryFilter } from 'mongoose';
import type { OwnershipPolicy } from '../../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { findByIds } from '../../../../platform/context/recordLoader.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { DealerMembership, Viewer } from '../../../../platform/principal/Viewer.ts';
import { readsEverything, textScopes } from '../../../kernel/object-content/readers.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { publicStates } from './states.ts';

type Listings = Promise<ListingRecord | null>;

/** Returns a loader of listings by id, batched per request; null for an id of another installation. */
export function listingLoader(context: RequestContext): DataLoader<string, ListingRecord | null> {
  return new DataLoader((ids) => readListings(context, ids), { cacheMap: context.loader(loadedListings) });
}

/**
 * Loads only the members of a listing that access checks and visibility need. For a thousand listings, the other
 * members dominate the cost. A listing that is already loaded completely is not read again.
 */
export function loadForAccess(context: RequestContext, id: string): Listings {
  return context.loader(loadedListings).get(id) ?? context.loader(accessLoader).load(id);
}

function loadedListings(): Map<string, Listings> {
  return new Map();
}

const access = {
  owner: 1,
  dealerLocationId: 1,
  state: 1,
  slug: 1,
  languageTag: 1,
  'published.languageTag': 1,
} as const;

function accessLoader(context: RequestContext): DataLoader<string, ListingRecord | null> {
  return new DataLoader(async (ids) => {
    const listings = await readListings(context, ids, access);
    // MongoDB projects no members below a missing member.
    return listings.map((listing) => listing && { ...listing, published: listing.published ?? null });
  });
}

function readListings(
  { installationId }: RequestContext,
  ids: readonly string[],
  projection?: Readonly<Record<string, 1>>,
): Promise<(ListingRecord | null)[]> {
  return findByIds(scoped(ListingModel, installationId), ids, { type: 'listing', projection });
}

export const listingPolicy: OwnershipPolicy<ListingRecord> = {
  load: (id, context) => context.loader(listingLoader).load(id),
  isOwner: ownsListing,
};

/** The part of a listing that decides about ownership. */
type Owned = Pick<ListingRecord, 'owner' | 'dealerLocationId'>;

/**
 * Returns whether the viewer is the private owner, or a member of the dealer for its location, if the member is
 * restricted to some.
 */
export function ownsListing(viewer: Viewer, { owner, dealerLocationId }: Owned): boolean {
  if (owner.type === 'user') return owner.id === viewer.id;
  const membership = viewer.membershipOf(owner.id);
  if (!membership) return false;
  return !isRestricted(membership) || membership.locationIds.includes(dealerLocationId ?? '');
}

/**
 * Returns whether the membership is restricted to locations. Only agents are restricted; managers and owners act for
 * the whole dealer.
 */
function isRestricted({ role, locationIds }: DealerMembership): boolean {
  return role === 'AGENT' && locationIds.length > 0;
}

/** Returns a filter for exactly the listings that `ownsListing` accepts, or those of one dealer. */
export function ownedBy(viewer: Viewer, dealerId?: string | null): QueryFilter<ListingRecord> {
  const memberships = viewer.principal.memberships.filter(
    (membership) => !dealerId || membership.dealerId === dealerId,
  );
  const whole = memberships.filter((membership) => !isRestricted(membership));
  const owners = [
    ...(dealerId || viewer.isClient ? [] : [viewer.id]),
    ...whole.map((entry) => entry.dealerId),
  ];
  const parts = memberships.filter(isRestricted).map((membership) => ({
    'owner.id': membership.dealerId,
    dealerLocationId: { $in: [...membership.locationIds] },
  }));
  if (parts.length === 0) return { 'owner.id': { $in: owners } };
  return { $or: [{ 'owner.id': { $in: owners } }, ...parts] };
}

/** Returns whether the public sees it. */
export function isPublished({ state, published }: Pick<ListingRecord, 'state' | 'published'>): boolean {
  return publicStates.has(state) && published !== null;
}

/** Returns whether the viewer may read unpublished content: the owner, moderators, and staff for texts. */
export function canReadDraft(viewer: Viewer, listing: ListingRecord): boolean {
  if (viewer.breadthOf('listings:moderate') === 'any' || readsEverything(viewer)) return true;
  return ownsListing(viewer, listing) && hasScope(viewer, 'listings:read');
}

/** Returns whether the viewer may edit its texts. Moderators and editors of texts do not own it. */
export function canEdit(viewer: Viewer, listing: ListingRecord): boolean {
  return ownsListing(viewer, listing) && hasScope(viewer, 'listings:write');
}

/**
 * Returns whether the viewer's scopes allow access. Users have no scopes; an API client needs this scope, or one for
 * texts.
 */
function hasScope(viewer: Viewer, scope: 'listings:read' | 'listings:write'): boolean {
  return !viewer.isClient || viewer.hasScope(scope) || textScopes.some((name) => viewer.hasScope(name));
}
