import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { columnCatalogSearch } from '../catalog/columnCatalogSearch.ts';
import type { SavedSearchRecord } from './model.ts';
import { toSearch } from './toSearch.ts';

/** From here on it is only said that there are many. */
const mostMatches = 100;

/**
 * How many published listings came since a search was last seen, `mostMatches` at most. Searches differ in everything,
 * so each is a count of its own, which ends at the limit; an account has no more than `searchesPerUser`.
 */
export function newMatchesLoader(context: RequestContext): DataLoader<SavedSearchRecord, number> {
  return new DataLoader(
    async (searches) => {
      const counts: number[] = [];
      // One after the other, so that searches of others get their turn between them.
      for (const search of searches) counts.push(await countNew(search, context));
      return counts;
    },
    { cache: false },
  );
}

function countNew({ query, lastSeenAt }: SavedSearchRecord, context: RequestContext): Promise<number> {
  return columnCatalogSearch.count(context, toSearch(query, context, lastSeenAt), mostMatches);
}
