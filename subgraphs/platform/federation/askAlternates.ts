import DataLoader from 'dataloader';
import type { RequestContext } from '../context/RequestContext.ts';

/** Types by which readers know a record, as far as it has pages in several languages. */
type ReaderType = 'CatalogListing' | 'CatalogDealer' | 'Page';

/** A link from one of the pages of a record to another one. */
export interface AlternateLink {
  /** As in `de`, `pt-BR` or `x-default`. */
  hreflang: string;
  href: string;
}

/** Transport of the question: runs one operation of the translation subgraph with the caller's identity. */
export type AskAlternates = (
  variables: { representations: { __typename: ReaderType; id: string }[] },
  context: RequestContext,
) => Promise<{ _entities: ({ alternates: AlternateLink[] | null } | null)[] }>;

const readerTypes: readonly ReaderType[] = ['CatalogListing', 'CatalogDealer', 'Page'];

/** The operation behind `AskAlternates`; it is what readers see, so it costs the owner of the record no question. */
export const askAlternatesDocument = `query askAlternates($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
${readerTypes.map((type) => `    ... on ${type} { alternates { hreflang href } }`).join('\n')}
  }
}`;

/** In a process that knows no translation subgraph nobody knows of other languages. */
export const nobodyKnowsAlternates: AskAlternates = async ({ representations }) => ({
  _entities: representations.map(() => null),
});

/**
 * The links between the pages of a record in several languages, as readers get them; none where there is one language.
 * All questions of one tick travel as one operation. Null where it cannot be known: nothing depends on it but advice.
 */
export function loadAlternates(
  context: RequestContext,
  type: 'listing' | 'dealer' | 'page',
  id: string,
): Promise<AlternateLink[] | null> {
  return context.loader(alternatesLoader).load({ type, id });
}

type Key = { type: 'listing' | 'dealer' | 'page'; id: string };

const readerTypeOf = { listing: 'CatalogListing', dealer: 'CatalogDealer', page: 'Page' } as const;

function alternatesLoader(context: RequestContext): DataLoader<Key, AlternateLink[] | null, string> {
  return new DataLoader((keys) => ask(context, keys), {
    maxBatchSize: 1000,
    cacheKeyFn: ({ type, id }) => `${type}:${id}`,
  });
}

async function ask(context: RequestContext, keys: readonly Key[]): Promise<(AlternateLink[] | null)[]> {
  if (context.depth > 0) throw new Error('A subgraph that is asked about a record must not ask another one.');
  const representations = keys.map(({ type, id }) => ({ __typename: readerTypeOf[type], id }));
  try {
    const { _entities } = await context.platform.askAlternates({ representations }, context);
    return keys.map((_, index) => _entities[index]?.alternates ?? null);
  } catch (error) {
    context.platform.log.warn({ err: error, requestId: context.requestId }, 'alternates are not known');
    return keys.map(() => null);
  }
}
