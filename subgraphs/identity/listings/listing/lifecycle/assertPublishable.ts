import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { dealerNotActive } from '../../../kernel/dealer-standing/assertMayChange.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { checkContent } from '../content/checkContent.ts';
import { assertNoGaps, findGaps } from '../content/findGaps.ts';
import { loadReferences } from '../content/loadReferences.ts';
import type { ListingRecord } from '../record/model.ts';
import { assertMayPost } from './assertMayPost.ts';

/**
 * Checks whether the viewer may publish listings of a dealer, or private ones.
 *
 * @param dealer the dealer that owns the listing; null for a private one
 * @throws AppError `email_unverified`, `posting_not_allowed`, `dealer_not_active`
 */
export function assertMayPublish(dealer: DealerRecord | null, context: RequestContext): void {
  assertMayPost(context, dealer);
  if (dealer && dealer.state !== 'active') throw dealerNotActive();
}

/**
 * Checks that a listing is complete.
 *
 * @throws AppError `listing_incomplete` with every gap
 */
export async function assertComplete(
  listing: ListingRecord,
  dealer: DealerRecord | null,
  context: RequestContext,
): Promise<void> {
  const references = await loadReferences(context, listing, dealer);
  // The schema or the location may have changed since the draft was validated.
  assertNoGaps([...findGaps(listing, references.category), ...checkContent(listing, references)]);
}
