import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { catalogSearchOf } from '../catalog/catalogSearchOf.ts';
import type { SavedSearchRecord } from './model.ts';
import { toCatalogSearch } from './query.ts';

/** Maximum count that is reported; it means this many or more. */
const mostMatches = 100;

/** Returns a loader that counts the published listings since each search was last seen. */
export function newMatchesLoader(context: RequestContext): DataLoader<SavedSearchRecord, number> {
  return new DataLoader(
    async (searches) => {
      const counts: number[] = [];
      // In sequence, so that requests of other callers are processed in between.
      for (const { query, lastSeenAt } of searches) {
        const search = toCatalogSearch(query, context.installation, { publishedAfter: lastSeenAt });
        counts.push(await catalogSearchOf(context.platform).count(context, search, mostMatches));
      }
      return counts;
    },
    { cache: false },
  );
}
