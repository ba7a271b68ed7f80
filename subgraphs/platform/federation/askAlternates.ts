import type { RequestContext } from '../context/RequestContext.ts';
import { question } from './question.ts';

/** A link from one of the pages of a record to another one. */
export interface AlternateLink {
  /** Language as in `de`, `pt-BR` or `x-default`. */
  hreflang: string;
  href: string;
}

/** A record with pages in several languages. */
interface Key {
  type: 'listing' | 'dealer' | 'page';
  id: string;
}

const readerTypeOf = { listing: 'CatalogListing', dealer: 'CatalogDealer', page: 'Page' } as const;

/** Query of `loadAlternates`: only public content, so the owner of the record is not queried. */
export const askAlternates = question<Key, { alternates: AlternateLink[] | null }, AlternateLink[] | null>({
  subgraph: 'translation',
  document: `query askAlternates($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
${Object.values(readerTypeOf)
  .map((type) => `    ... on ${type} { alternates { hreflang href } }`)
  .join('\n')}
  }
}`,
  nameOf: ({ type, id }) => `${type}:${id}`,
  toRepresentation: ({ type, id }) => ({ __typename: readerTypeOf[type], id }),
  toAnswer: (entity) => entity?.alternates ?? null,
  isOptional: true,
});

/**
 * Returns the links between the pages of a record in several languages, as readers get them; empty for a single
 * language. Null if they are unavailable, because only advice depends on them.
 */
export function loadAlternates(
  context: RequestContext,
  type: Key['type'],
  id: string,
): Promise<AlternateLink[] | null> {
  return context.loader(askAlternates.loader).load({ type, id });
}
