/** A condition on an attribute; the name is well formed, the values are compared as text. */
export interface AttributeCondition {
  name: string;
  values: readonly string[];
  all: readonly string[];
  min: number | null;
  max: number | null;
}

/** Order of a result, with the id as the tie-break. Rows without the key are last. */
export interface CatalogSort {
  by: 'relevance' | 'distance' | 'publishedAt' | 'price' | `attributes.${string}`;
  direction: 1 | -1;
}

/** Listings within a number of kilometres of a point. */
export interface Surroundings {
  /** WGS 84 degrees. */
  lat: number;
  lng: number;
  radiusKm: number;
}

/**
 * Listings within a rectangle of a map, in WGS 84 degrees; `west` is greater than `east` if it crosses the
 * antimeridian.
 */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Validated query: every member is a typed scalar, so none can become an operator. */
export interface IndexQuery {
  /** Search words; null without words. */
  q: string | null;
  /** Language of the words, BCP 47. */
  locale: string;
  /** BCP 47 tag: translated texts in this language are searched too; null if only the owners' texts are searched. */
  textsIn: string | null;
  categoryId: string | null;
  currency: string | null;
  /** Minor units. */
  priceMin: number | null;
  priceMax: number | null;
  /** Stored forms; empty for any. */
  conditions: readonly string[];
  priceTypes: readonly string[];
  sellerTypes: readonly string[];
  /** Empty for any dealer. */
  dealerIds: readonly string[];
  attributes: readonly AttributeCondition[];
  near: Surroundings | null;
  bounds: Bounds | null;
  publishedAfter: Date | null;
  /** Latest publication, inclusive; alerts alone state it. */
  publishedUntil?: Date;
  /** Id of a seller whose listings are left out; only alerts state it. */
  exceptSeller?: string;
  /** Null for listings with and without images. */
  withImages: boolean | null;
  sort: CatalogSort;
}

/** Facet to count: a member of listings, or an attribute such as `attributes.fuel`. */
export interface FacetRequest {
  /** Name of the sort order, as the caller states it and the response returns it. */
  name: string;
  by: 'categoryId' | 'condition' | 'priceType' | 'sellerType' | 'price' | `attributes.${string}`;
  /** Numbers are counted by range, other members by value. */
  kind: 'values' | 'range';
  /**
   * Restricts the result to prices in this currency, because amounts of different currencies are not comparable. Null
   * for all.
   */
  currency: string | null;
  /** Whether bounds of a histogram are whole numbers. */
  isWhole: boolean;
}

/** Numbers from `from` on, and below `to`; the last bar of a histogram holds its own end. */
export interface FacetBar {
  from: number;
  to: number;
  count: number;
}

/** Distribution of the listings that a query finds over the values of one member. */
export interface Facet {
  name: string;
  /** The most frequent values, at most fifty. */
  buckets: readonly { value: string; count: number }[];
  /** Null if the member is not numeric, or no listing has a value. */
  range: { min: number; max: number; histogram: readonly FacetBar[] } | null;
}

/** Facets of a query. */
export interface CatalogFacets {
  /** Number of listings that the query finds. */
  total: number;
  facets: readonly Facet[];
  /** Whether all of them were counted; a search engine may stop early. */
  complete: boolean;
}
