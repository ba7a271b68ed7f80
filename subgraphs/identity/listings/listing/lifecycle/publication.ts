import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import { toSlug } from '../../../kernel/slug/toSlug.ts';
import { toPublished } from '../content/revision.ts';
import type { ListingRecord } from '../record/model.ts';
import type { ListingChanges } from './saveListing.ts';

/**
 * Returns the changes when a listing is published. Its current revision becomes the public copy. Slug and first
 * publication time are permanent, and remaining time is kept.
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

/** Returns a slug: the readable title, and half of the id's random bits, which make it unique. */
function slugOf({ _id, title }: ListingRecord): string {
  const name = toSlug(title ?? '', 80);
  const suffix = _id.slice(-10).toLowerCase();
  return name === '' ? suffix : `${name}-${suffix}`;
}
