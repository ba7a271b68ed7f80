import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { CatalogListingRecord } from './model.ts';
import { shownListings } from './shownListings.ts';

/** Returns listings in the order of the ids, without those that were just removed or withdrawn. */
export async function readPage(
  context: RequestContext,
  ids: readonly string[],
): Promise<CatalogListingRecord[]> {
  if (ids.length === 0) return [];
  const records = await shownListings(context).find({ _id: { $in: [...ids] } });
  const byId = new Map(records.map((record) => [record._id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
