/**
 * What breaks a rule today and is not mended yet. The check fails on an entry that breaks nothing any more, so this list only
 * gets shorter.
 */

/** Folders that import each other in a circle. */
export const foldersInCircles: readonly string[] = [
  'packages/client/src/session',
  'packages/client/src/transport',
  'rest-facade/http/adapters',
  'rest-facade/http/uploads',
  'subgraphs/identity/listings/catalog',
  'subgraphs/identity/listings/catalog-text',
  'subgraphs/identity/listings/catalog/columns',
  'subgraphs/identity/listings/catalog/words',
  'subgraphs/identity/listings/favorite',
  'subgraphs/identity/listings/listing',
  'subgraphs/identity/listings/listing-moderation',
  'subgraphs/identity/listings/listing-stats',
];

/** Single imports: rule, file, what it imports. */
export const imports: readonly (readonly [rule: string, from: string, to: string])[] = [
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/ColumnKeeper.ts',
    'subgraphs/identity/listings/catalog/model.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/ColumnKeeper.ts',
    'subgraphs/platform/errors/AppError.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/ColumnKeeper.ts',
    'subgraphs/platform/installation/scoped.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/ListingColumns.ts',
    'subgraphs/identity/listings/catalog/model.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/ListingColumns.ts',
    'subgraphs/identity/listings/catalog/words/WordIndex.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/countFacets.ts',
    'subgraphs/identity/listings/catalog/CatalogSearch.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/loadColumns.ts',
    'subgraphs/platform/context/Platform.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/loadColumns.ts',
    'subgraphs/platform/context/RequestContext.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/toFacetCounter.ts',
    'subgraphs/identity/listings/catalog/CatalogSearch.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/toPlaceTests.ts',
    'subgraphs/identity/listings/catalog/CatalogSearch.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/toRowTests.ts',
    'subgraphs/identity/listings/catalog/CatalogSearch.ts',
  ],
  [
    'catalogue-index-stands-alone',
    'subgraphs/identity/listings/catalog/columns/warmCatalog.ts',
    'subgraphs/platform/context/Platform.ts',
  ],
];
