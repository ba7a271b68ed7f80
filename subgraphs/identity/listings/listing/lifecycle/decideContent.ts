import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { CategoryRecord } from '../../category/model.ts';
import { assertNoGaps, findGaps } from '../content/findGaps.ts';
import { isMaterialChange, isSameContent, nextPublished } from '../content/revision.ts';
import type { ListingContent, ListingRecord } from '../record/model.ts';
import { invalidTransition } from '../record/states.ts';
import type { ListingChanges } from './saveListing.ts';

/** A listing that is public or in review must keep the members that publication requires. */
const mustStayComplete = new Set<ListingRecord['state']>(['pending_review', 'active', 'reserved']);
const closedStates = new Set<ListingRecord['state']>(['sold', 'archived']);

/**
 * Returns how new content changes a listing: its revision, state and published copy. Null if nothing changes.
 *
 * @param before the listing in its current state
 * @param content validated content
 * @param category of the content
 * @throws AppError `invalid_transition`, `listing_incomplete`
 */
export function decideContent(
  before: ListingRecord,
  content: ListingContent,
  category: CategoryRecord | null,
  { installation }: Pick<RequestContext, 'installation'>,
): ListingChanges | null {
  if (closedStates.has(before.state)) throw invalidTransition(before.state, 'changed');
  if (isSameContent(before, content)) return null;
  if (mustStayComplete.has(before.state)) assertNoGaps(findGaps(content, category));
  const material = isMaterialChange(before, content, category);
  const revision = before.revision + (material ? 1 : 0);
  const isWithdrawn = before.state === 'pending_review' && material;
  const { moderation } = installation.settings;
  return {
    ...content,
    revision,
    ...(isWithdrawn ? { state: 'draft' as const } : {}),
    published: nextPublished(before, content, { revision, category, moderation }),
  };
}
