/** A condition on an attribute; the name is well formed, the values are compared as text. */
export interface AttributeCondition {
  name: string;
  values: readonly string[];
  all: readonly string[];
  min: number | null;
  max: number | null;
}

/** Order of a result; the id is always the tie-break. What lacks the key comes last. */
export interface CatalogSort {
  by: 'relevance' | 'distance' | 'publishedAt' | 'price' | `attributes.${string}`;
  direction: 1 | -1;
}

/** What is within so many kilometres of a place. */
export interface Surroundings {
  /** WGS 84 degrees. */
  lat: number;
  lng: number;
  radiusKm: number;
}

/** What is within a rectangle of a map, in WGS 84 degrees; `west` is greater than `east` where it crosses the antimeridian. */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** What is looked for, checked: every member is a typed scalar, so none of it can become an operator. */
export interface IndexQuery {
  /** Words; null for none. */
  q: string | null;
  /** Language of the words, BCP 47. */
  locale: string;
  /** BCP 47: texts that its readers are shown count beside those of owners; null for owners' words alone. */
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
  /** Empty for any. */
  dealerIds: readonly string[];
  attributes: readonly AttributeCondition[];
  near: Surroundings | null;
  bounds: Bounds | null;
  publishedAfter: Date | null;
  /** Latest publication, inclusive; alerts alone state it. */
  publishedUntil?: Date;
  /** Id of a seller whose listings are left out; alerts alone state it. */
  exceptSeller?: string;
  /** Null for both. */
  withImages: boolean | null;
  sort: CatalogSort;
}

/** What is to be counted: a member of listings, or an attribute as `attributes.fuel`. */
export interface FacetRequest {
  /** As the caller states it, and as it is answered. */
  name: string;
  by: 'categoryId' | 'condition' | 'priceType' | 'sellerType' | 'price' | `attributes.${string}`;
  /** Numbers are reported by their range, everything else by its values. */
  kind: 'values' | 'range';
  /** Only listings with a price in this currency: amounts of several are not comparable. Null for all. */
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

/** How the listings that a query finds are spread over the values of one member. */
export interface Facet {
  name: string;
  /** The most frequent values, at most fifty. */
  buckets: readonly { value: string; count: number }[];
  /** Null for what has no numbers, or where no listing has one. */
  range: { min: number; max: number; histogram: readonly FacetBar[] } | null;
}

/** Facets of a query. */
export interface CatalogFacets {
  /** What the whole query finds. */
  total: number;
  facets: readonly Facet[];
  /** Whether all of them were counted; a search engine may stop somewhere. */
  complete: boolean;
}
