import type { QueryFilter } from 'mongoose';
import type { OwnershipPolicy } from '../../platform/auth/ownership.ts';
import type { Viewer } from '../../platform/principal/Viewer.ts';
import { readsEverything, textScopes } from '../kernel/object-content/readers.ts';
import { mediaLoader } from './mediaLoader.ts';
import type { MediaRecord } from './model.ts';
import { liveStates } from './states.ts';
import { publicPurposes } from './storageKeys.ts';

/** A deleted file is gone for every caller; it is kept for a while, and hidden. */
export const mediaPolicy: OwnershipPolicy<MediaRecord> = {
  async load(id, context) {
    const record = await context.loader(mediaLoader).load(id);
    return record && liveStates.includes(record.state) ? record : null;
  },
  isOwner: ownsMedia,
};

/** The part of a file that decides about ownership. */
type Owned = Pick<MediaRecord, 'owner' | 'purpose'>;

/** The user, or a member of the dealer; verification documents are only for the dealer's owners. */
export function ownsMedia(viewer: Viewer, { owner, purpose }: Owned): boolean {
  if (owner.type === 'user') return owner.id === viewer.id;
  return viewer.hasDealerRole(owner.id, purpose === 'verification' ? 'OWNER' : 'AGENT');
}

/** Exactly the files that `ownsMedia` says yes to; of one dealer if it is named. */
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
    // The owner bounds the scan; papers of the others are passed over within it.
    $or: [{ 'owner.id': { $in: whole } }, { purpose: { $ne: 'verification' } }],
  };
}

/** Whether everybody may see its renditions; those from before a rotation are shown until there are new ones. */
export function isPublic({ purpose, state, usage, renditions }: MediaRecord): boolean {
  const isShown = state === 'ready' || (state === 'processing' && renditions.length > 0);
  return publicPurposes.includes(purpose) && isShown && usage.length > 0;
}

/** Whether the viewer may read it through a capability of the other two interfaces. */
export function canReadMedia(viewer: Viewer, media: MediaRecord): boolean {
  if (isPublic(media) || viewer.breadthOf('media:moderate') === 'any') return true;
  if (readsEverything(viewer) && publicPurposes.includes(media.purpose)) return true;
  return ownsMedia(viewer, media) && hasScope(viewer, media, 'media:read');
}

/** Whether the viewer may edit its text. */
export function canEditMedia(viewer: Viewer, media: MediaRecord): boolean {
  return ownsMedia(viewer, media) && hasScope(viewer, media, 'media:write');
}

/** A person has no scopes to narrow; an API client needs this one, or one for texts where there is a text. */
function hasScope(viewer: Viewer, { purpose }: Owned, scope: 'media:read' | 'media:write'): boolean {
  if (!viewer.isClient || viewer.hasScope(scope)) return true;
  return publicPurposes.includes(purpose) && textScopes.some((name) => viewer.hasScope(name));
}
