import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { CatalogQuery } from '../catalog/CatalogSearch.ts';
import type { StoredQuery } from './model.ts';

/** A query that finds everything. */
export const emptyQuery: StoredQuery = {
  q: null,
  locale: null,
  categoryId: null,
  currency: null,
  priceMin: null,
  priceMax: null,
  conditions: [],
  priceTypes: [],
  sellerTypes: [],
  dealerIds: [],
  near: null,
  bounds: null,
  withImages: null,
  attributes: [],
};

/** A query that is kept, as the catalogue runs it: the newest first, of those published after a time. */
export function toSearch(
  query: StoredQuery,
  { installation }: Pick<RequestContext, 'installation'>,
  publishedAfter: Date | null = null,
): CatalogQuery {
  return {
    ...query,
    // Without words the language stems nothing.
    locale: query.locale ?? installation.locales[0] ?? 'en',
    // Translations come after a listing is published, which is when it is told.
    textsIn: null,
    publishedAfter,
    sort: { by: 'publishedAt', direction: -1 },
  };
}
