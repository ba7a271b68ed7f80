import type { Platform } from '../../../platform/context/Platform.ts';
import type { CatalogSearch } from './CatalogSearch.ts';
import { embeddedCatalogSearch } from './embedded/embeddedCatalogSearch.ts';
import { openSearchCatalog } from './opensearch/openSearchCatalog.ts';

/** Returns the catalogue search of a process. This is the only place that selects an implementation. */
export function catalogSearchOf({ catalog }: Pick<Platform, 'catalog'>): CatalogSearch {
  return catalog.engine === 'opensearch' ? openSearchCatalog : embeddedCatalogSearch;
}
