import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import { toSlug } from '../../../kernel/slug/toSlug.ts';
import { toPublished } from '../content/revision.ts';
import type { ListingRecord } from '../record/model.ts';
import type { ListingChanges } from './saveListing.ts';

/**
 * What it means that a listing comes before the public, by whomever: its present revision is the public copy, under an
 * address and since a time that stay for good. Time that is left goes on.
 */
export function publication(
  before: ListingRecord,
  { platform, installation }: Pick<RequestContext, 'platform' | 'installation'>,
): ListingChanges {
  const now = platform.now();
  const runs = before.expiresAt !== null && before.expiresAt.getTime() > now;
  return {
    state: 'active',
    stateReason: null,
    sale: null,
    published: toPublished(before),
    slug: before.slug ?? slugOf(before),
    publishedAt: before.publishedAt ?? new Date(now),
    expiresAt: runs ? before.expiresAt : new Date(now + installation.settings.listingLifeDays * dayMs),
  };
}

/** The title for people, and as much of the id as makes it unique: half of its random bits. */
function slugOf({ _id, title }: ListingRecord): string {
  const name = toSlug(title ?? '', 80);
  const suffix = _id.slice(-10).toLowerCase();
  return name === '' ? suffix : `${name}-${suffix}`;
}
