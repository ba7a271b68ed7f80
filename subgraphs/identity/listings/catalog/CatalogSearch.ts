import type { Platform } from '../../../platform/context/Platform.ts';
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

/** The requested page, and whether to count the results. */
export interface CatalogPageRequest {
  first: number | null | undefined;
  after: string | null | undefined;
  count: boolean;
}

/** A page of published listings. */
export interface CatalogPage extends Connection<CatalogListingRecord> {
  /** Exact up to 10,000, then `10000+`; null if no count was requested. */
  totalCount: string | null;
}

/**
 * Search for published listings. The product calls only this interface, and `catalogSearchOf` selects the
 * implementation.
 */
export interface CatalogSearch {
  /** Prepares the first search after a start. Never fails. */
  warm(platform: Platform): Promise<void>;
  /**
   * Returns a page of results. The cost does not depend on the page or the number of results. @throws AppError
   * `invalid_cursor`, `unavailable`
   */
  search(context: RequestContext, query: CatalogQuery, page: CatalogPageRequest): Promise<CatalogPage>;
  /** Counts the matching listings, up to `limit`. @throws AppError `unavailable` */
  count(context: RequestContext, query: CatalogQuery, limit: number): Promise<number>;
  /** Counts the facets, each without the query's own condition on it. @throws AppError `unavailable` */
  facets(
    context: RequestContext,
    query: CatalogQuery,
    facets: readonly FacetRequest[],
  ): Promise<CatalogFacets>;
}
