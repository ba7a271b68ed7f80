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

/** Names of the types of objects. */
const typeNames = { listing: 'Listing', dealer: 'Dealer', page: 'Page' } as const;

/** Returns the reference to an object. The subgraph that owns the object decides who can read its members. */
export function toObject({ objectType, objectId }: { objectType: keyof typeof typeNames; objectId: string }) {
  return { __typename: typeNames[objectType], id: objectId };
}

const resolvers: Resolvers = {
  Listing: { __resolveReference: ({ id }) => (isId('listing', id) ? { id } : null) },
  Dealer: { __resolveReference: ({ id }) => (isId('dealer', id) ? { id } : null) },
  Page: { __resolveReference: ({ id }) => (isId('page', id) ? { id } : null) },
};

/** The objects of other subgraphs that SEO is about. */
export const object: Resource = { resolvers };
