import type { QueryFilter } from 'mongoose';
import type { OwnershipPolicy } from '../../platform/auth/ownership.ts';
import type { Viewer } from '../../platform/principal/Viewer.ts';
import { readsEverything, textScopes } from '../kernel/object-content/readers.ts';
import { mediaLoader } from './mediaLoader.ts';
import type { MediaRecord } from './model.ts';
import { liveStates } from './states.ts';
import { publicPurposes } from './storageKeys.ts';

/** A deleted file does not exist for any caller. It is hidden and kept for a while. */
export const mediaPolicy: OwnershipPolicy<MediaRecord> = {
  async load(id, context) {
    const record = await context.loader(mediaLoader).load(id);
    return record && liveStates.includes(record.state) ? record : null;
  },
  isOwner: ownsMedia,
};

/** Members of a file that determine its ownership. */
type Owned = Pick<MediaRecord, 'owner' | 'purpose'>;

/**
 * Returns whether the viewer is the owner or a member of the owning dealer. Verification documents are accessible only
 * to the dealer's owners.
 */
export function ownsMedia(viewer: Viewer, { owner, purpose }: Owned): boolean {
  if (owner.type === 'user') return owner.id === viewer.id;
  return viewer.hasDealerRole(owner.id, purpose === 'verification' ? 'OWNER' : 'AGENT');
}

/** Returns a filter for exactly the files that `ownsMedia` accepts, or those of one dealer. */
export function ownedMedia(viewer: Viewer, dealerId?: string | null): QueryFilter<MediaRecord> {
  const memberships = viewer.principal.memberships.filter(
    (membership) => !dealerId || membership.dealerId === dealerId,
  );
  const isOwned = memberships.filter(({ role }) => role === 'OWNER').map((one) => one.dealerId);
  const isServed = memberships.filter(({ role }) => role !== 'OWNER').map((one) => one.dealerId);
  const whole = [...(dealerId || viewer.isClient ? [] : [viewer.id]), ...isOwned];
  if (isServed.length === 0) return { 'owner.id': { $in: whole } };
  return {
    'owner.id': { $in: [...whole, ...isServed] },
    // The owner bounds the scan; documents of other members are skipped within it.
    $or: [{ 'owner.id': { $in: whole } }, { purpose: { $ne: 'verification' } }],
  };
}

/** Returns whether the renditions are public. After a rotation, the old renditions are shown until new ones exist. */
export function isPublic({ purpose, state, usage, renditions }: MediaRecord): boolean {
  const isShown = state === 'ready' || (state === 'processing' && renditions.length > 0);
  return publicPurposes.includes(purpose) && isShown && usage.length > 0;
}

/** Returns whether the viewer may read the file through a capability of the other two interfaces. */
export function canReadMedia(viewer: Viewer, media: MediaRecord): boolean {
  if (isPublic(media) || viewer.breadthOf('media:moderate') === 'any') return true;
  if (readsEverything(viewer) && publicPurposes.includes(media.purpose)) return true;
  return ownsMedia(viewer, media) && hasScope(viewer, media, 'media:read');
}

/** Returns whether the viewer may edit its text. */
export function canEditMedia(viewer: Viewer, media: MediaRecord): boolean {
  return ownsMedia(viewer, media) && hasScope(viewer, media, 'media:write');
}

/**
 * Returns whether the viewer's scopes allow access. Users have no scopes. An API client needs this scope, or one for
 * texts if the file has a text.
 */
function hasScope(viewer: Viewer, { purpose }: Owned, scope: 'media:read' | 'media:write'): boolean {
  if (!viewer.isClient || viewer.hasScope(scope)) return true;
  return publicPurposes.includes(purpose) && textScopes.some((name) => viewer.hasScope(name));
}
