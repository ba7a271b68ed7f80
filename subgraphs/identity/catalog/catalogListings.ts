import type { QuerycatalogListingsArgs } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { CatalogPage, CatalogSearch } from './CatalogSearch.ts';
import { toCatalogQuery } from './toCatalogQuery.ts';

/** Checks the parameters of a search and runs it. */
export function catalogListings(
  args: QuerycatalogListingsArgs,
  context: RequestContext,
  search: CatalogSearch,
): Promise<CatalogPage> {
  const { first, after, count } = args;
  return search.search(context, toCatalogQuery(args, context), { first, after, count: count === true });
}
