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

/** Listings by id, batched per request; null for an id of another installation. */
export function listingLoader(context: RequestContext): DataLoader<string, ListingRecord | null> {
  return new DataLoader((ids) => readListings(context, ids), { cacheMap: context.loader(loadedListings) });
}

/**
 * A listing for callers that need only the caller's rights, and whether readers see it: other members are missing. Of
 * a thousand listings the rest is most of the cost; one that is loaded as a whole is not read again.
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
    // Of what is not there nothing below it is projected either.
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

/** A private owner, or a member of the dealer, at the member's locations if restricted to some. */
export function ownsListing(viewer: Viewer, { owner, dealerLocationId }: Owned): boolean {
  if (owner.type === 'user') return owner.id === viewer.id;
  const membership = viewer.membershipOf(owner.id);
  if (!membership) return false;
  return !isRestricted(membership) || membership.locationIds.includes(dealerLocationId ?? '');
}

/** Only agents are held to their locations; managers and owners answer for the whole dealer. */
function isRestricted({ role, locationIds }: DealerMembership): boolean {
  return role === 'AGENT' && locationIds.length > 0;
}

/** Exactly the listings that `ownsListing` says yes to; of one dealer if it is named. */
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

/** Whether the public sees it. */
export function isPublished({ state, published }: Pick<ListingRecord, 'state' | 'published'>): boolean {
  return publicStates.has(state) && published !== null;
}

/** Whether the viewer may read unpublished content: the owner, moderators, and staff for texts. */
export function canReadDraft(viewer: Viewer, listing: ListingRecord): boolean {
  if (viewer.breadthOf('listings:moderate') === 'any' || readsEverything(viewer)) return true;
  return ownsListing(viewer, listing) && hasScope(viewer, 'listings:read');
}

/** Whether the viewer may work on its texts. Moderators and editors of texts do not own it. */
export function canEdit(viewer: Viewer, listing: ListingRecord): boolean {
  return ownsListing(viewer, listing) && hasScope(viewer, 'listings:write');
}

/** A person has no scopes to narrow; an API client needs this one, or one for texts. */
function hasScope(viewer: Viewer, scope: 'listings:read' | 'listings:write'): boolean {
  return !viewer.isClient || viewer.hasScope(scope) || textScopes.some((name) => viewer.hasScope(name));
}
