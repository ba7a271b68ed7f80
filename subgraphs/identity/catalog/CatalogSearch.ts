import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { Connection } from '../../platform/pagination/findPage.ts';
import type { CatalogListingRecord } from './model.ts';

/** A condition on an attribute; the name is well formed, the values are compared as text. */
export interface AttributeCondition {
  name: string;
  values: readonly string[];
  all: readonly string[];
  min: number | null;
  max: number | null;
}

/** Order of a result; the id is always the tie-break. */
export type CatalogSort = 'relevance' | '-publishedAt' | 'price' | '-price';

/** What is looked for, checked: every member is a typed scalar, so none of it can become an operator. */
export interface CatalogQuery {
  /** Words; null for none. */
  q: string | null;
  /** Language of the words, BCP 47. */
  locale: string;
  categoryId: string | null;
  currency: string | null;
  /** Minor units. */
  priceMin: number | null;
  priceMax: number | null;
  /** Stored forms; empty for any. */
  conditions: readonly CatalogListingRecord['condition'][];
  priceTypes: readonly CatalogListingRecord['priceType'][];
  sellerTypes: readonly CatalogListingRecord['seller']['type'][];
  dealerId: string | null;
  attributes: readonly AttributeCondition[];
  publishedAfter: Date | null;
  sort: CatalogSort;
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
 * How published listings are found. One implementation stands on the database; another one may stand on a search
 * engine, without a change of the schema.
 */
export interface CatalogSearch {
  /** Costs the same for every page and every number of results. @throws AppError `invalid_cursor` */
  search(context: RequestContext, query: CatalogQuery, page: CatalogPageRequest): Promise<CatalogPage>;
  /** How many match, `limit` at most: what is beyond it is not looked at. */
  count(context: RequestContext, query: CatalogQuery, limit: number): Promise<number>;
}
