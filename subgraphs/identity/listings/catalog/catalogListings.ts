import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { QuerycatalogListingsArgs } from '../../identity.generated.ts';
import { assertKnownAttributes } from './assertKnownAttributes.ts';
import type { CatalogPage, CatalogSearch } from './CatalogSearch.ts';
import { toCatalogQuery } from './toCatalogQuery.ts';

/** Checks the parameters of a search and runs it. */
export async function catalogListings(
  args: QuerycatalogListingsArgs,
  context: RequestContext,
  search: CatalogSearch,
): Promise<CatalogPage> {
  const { first, after, count } = args;
  const query = toCatalogQuery(args, context);
  await assertKnownAttributes(query, context);
  return search.search(context, query, { first, after, count: count === true });
}
