import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { mongoCatalogSearch } from '../catalog/mongoCatalogSearch.ts';
import type { SavedSearchRecord } from './model.ts';

/** From here on it is only said that there are many. */
const mostMatches = 100;
/** Counts of one request at a time; the others wait, so that one long list leaves the database to everybody else. */
const atOnce = 4;

/**
 * How many published listings came since a search was last seen, `mostMatches` at most. Searches differ in everything,
 * so each is a count of its own, which ends at the limit; an account has no more than `searchesPerUser`.
 */
export function newMatchesLoader(context: RequestContext): DataLoader<SavedSearchRecord, number> {
  return new DataLoader(
    async (searches) => {
      const counts: number[] = [];
      const waiting = searches.entries();
      const work = async (): Promise<void> => {
        for (const [index, search] of waiting) counts[index] = await countNew(search, context);
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      return counts;
    },
    { cache: false },
  );
}

function countNew({ query, lastSeenAt }: SavedSearchRecord, context: RequestContext): Promise<number> {
  const unseen = { publishedAfter: lastSeenAt, sort: '-publishedAt' } as const;
  // Without words the language stems nothing.
  const locale = query.locale ?? context.installation.locales[0] ?? 'en';
  return mongoCatalogSearch.count(context, { ...query, ...unseen, locale }, mostMatches);
}
