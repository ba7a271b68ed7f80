import type { ListingRecord } from './model.ts';
import { publicStates } from './states.ts';

/** Why a moderator should look at a listing, besides its state. */
export const listingFlags = ['queued_revision', 'resubmitted', 'reported', 'appealed'] as const;

export type ListingFlag = (typeof listingFlags)[number];

/** States in which a change of the published copy can wait for review. */
const changeable = new Set<ListingRecord['state']>(['active', 'reserved', 'paused']);

/** Whether what the owner has written is newer than what is published. */
export function isNewer({ published, revision, state }: ListingRecord): boolean {
  return published !== null && published.revision < revision && changeable.has(state);
}

/**
 * The place of a listing in the moderation queue: none if it needs no decision. A queued listing keeps its place,
 * whatever else changes.
 *
 * @param now milliseconds since 1970
 */
export function toQueue(
  listing: ListingRecord,
  now: number,
): Required<Pick<ListingRecord, 'flags' | 'queuedAt'>> {
  const flags = flagsOf(listing);
  const waits = listing.state === 'pending_review' || flags.length > 0;
  return { flags, queuedAt: waits ? (listing.queuedAt ?? new Date(now)) : null };
}

/** Where listings are shown before they are reviewed, an owner can bring back what was taken down. */
function isShownAgain({ state, published }: ListingRecord, rejected: number): boolean {
  return publicStates.has(state) && published !== null && published.revision >= rejected;
}

function flagsOf(listing: ListingRecord): ListingFlag[] {
  const { state, moderation, revision, openReports = 0, openAppeals = 0 } = listing;
  const rejected = moderation?.decision === 'rejected';
  const holds: Record<ListingFlag, boolean> = {
    // A revision that was declined waits for nothing but its owner.
    queued_revision: isNewer(listing) && !(rejected && moderation.revision === revision),
    resubmitted: rejected && (state === 'pending_review' || isShownAgain(listing, moderation.revision)),
    reported: openReports > 0,
    appealed: openAppeals > 0,
  };
  return listingFlags.filter((flag) => holds[flag]);
}
