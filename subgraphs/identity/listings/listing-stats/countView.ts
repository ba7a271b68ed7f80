import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { CatalogListingRecord } from '../catalog/public-listing/model.ts';
import { viewBufferOf } from './ViewBuffer.ts';

/** Programs that identify themselves: search engines, link previews, monitors. */
const robots =
  /(?<!cu)bot\b|bot[/;_-]|crawl|spider|slurp|facebookexternalhit|preview|headless|lighthouse|pingdom|uptime/i;

/** Counts a view of a listing by a person other than its seller. */
export function countView(
  { _id, seller }: Pick<CatalogListingRecord, '_id' | 'seller'>,
  context: RequestContext,
): void {
  if (isSellers(seller.id, context) || robots.test(context.userAgent)) return;
  viewBufferOf(context.platform).add(context.installationId, _id);
}

/** Returns whether the viewer is the seller, a member of the dealer, or an API client of either. */
function isSellers(sellerId: string, { viewerOrNull }: RequestContext): boolean {
  return viewerOrNull !== null && (viewerOrNull.id === sellerId || !!viewerOrNull.membershipOf(sellerId));
}
