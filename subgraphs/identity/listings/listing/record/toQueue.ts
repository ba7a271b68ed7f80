import type { ListingRecord } from './model.ts';
import { publicStates } from './states.ts';

/** Reasons for a moderator to review a listing, in addition to its state. */
export const listingFlags = ['queued_revision', 'resubmitted', 'reported', 'appealed'] as const;

export type ListingFlag = (typeof listingFlags)[number];

/** States in which a change of the published copy can wait for review. */
const changeable = new Set<ListingRecord['state']>(['active', 'reserved', 'paused']);

/** Returns whether the owner's content is newer than the published content. */
export function isNewer({ published, revision, state }: ListingRecord): boolean {
  return published !== null && published.revision < revision && changeable.has(state);
}

/**
 * Returns flags and position of a listing in the moderation queue; the position is null if it needs no decision. A
 * queued listing keeps its position when other members change.
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

/**
 * Returns whether an owner has restored a listing that was taken down, where listings are shown before their review.
 */
function isShownAgain({ state, published }: ListingRecord, rejected: number): boolean {
  return publicStates.has(state) && published !== null && published.revision >= rejected;
}

function flagsOf(listing: ListingRecord): ListingFlag[] {
  const { state, moderation, revision, openReports = 0, openAppeals = 0 } = listing;
  const rejected = moderation?.decision === 'rejected';
  const holds: Record<ListingFlag, boolean> = {
    // A declined revision waits only for its owner.
    queued_revision: isNewer(listing) && !(rejected && moderation.revision === revision),
    resubmitted: rejected && (state === 'pending_review' || isShownAgain(listing, moderation.revision)),
    reported: openReports > 0,
    appealed: openAppeals > 0,
  };
  return listingFlags.filter((flag) => holds[flag]);
}
