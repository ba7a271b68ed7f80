import { isId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';

/** A listing as this subgraph knows it: its id. */
export interface ListingParent {
  id: string;
}

/** A dealer as this subgraph knows it: its id. */
export interface DealerParent {
  id: string;
}

/** A page as this subgraph knows it: its id. */
export interface PageParent {
  id: string;
}

const resolvers: Resolvers = {
  Listing: { __resolveReference: ({ id }) => (isId('listing', id) ? { id } : null) },
  Dealer: { __resolveReference: ({ id }) => (isId('dealer', id) ? { id } : null) },
  Page: { __resolveReference: ({ id }) => (isId('page', id) ? { id } : null) },
};

/** The objects of other subgraphs that SEO is about. */
export const object: Resource = { resolvers };
