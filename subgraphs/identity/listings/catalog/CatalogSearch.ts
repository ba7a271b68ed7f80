import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Connection } from '../../../platform/pagination/findPage.ts';
import type { CatalogFacets, FacetRequest, IndexQuery } from './columns/query.ts';
import type { CatalogListingRecord } from './public-listing/model.ts';

/** A query of the index, with the values that listings have. */
export interface CatalogQuery extends IndexQuery {
  conditions: readonly CatalogListingRecord['condition'][];
  priceTypes: readonly CatalogListingRecord['priceType'][];
  sellerTypes: readonly CatalogListingRecord['seller']['type'][];
}

/** Which page, and whether to count. */
export interface CatalogPageRequest {
  first: number | null | undefined;
  after: string | null | undefined;
  count: boolean;
}

/** A page of published listings. */
export interface CatalogPage extends Connection<CatalogListingRecord> {
  /** Exact up to 10,000, then `10000+`; null unless it was to be counted. */
  totalCount: string | null;
}

/**
 * How published listings are found. One implementation stands on the database and the memory of the process; another
 * one may stand on a search engine, without a change of the schema.
 */
export interface CatalogSearch {
  /** Costs the same for every page and every number of results. @throws AppError `invalid_cursor`, `unavailable` */
  search(context: RequestContext, query: CatalogQuery, page: CatalogPageRequest): Promise<CatalogPage>;
  /** How many match, `limit` at most. @throws AppError `unavailable` */
  count(context: RequestContext, query: CatalogQuery, limit: number): Promise<number>;
  /** Each facet is counted without the query's own condition on it. @throws AppError `unavailable` */
  facets(
    context: RequestContext,
    query: CatalogQuery,
    facets: readonly FacetRequest[],
  ): Promise<CatalogFacets>;
}
