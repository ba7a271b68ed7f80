import type { Resolvers } from '../../../schema/translation.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { entityResolvers } from './entityResolvers.ts';

const resolvers: Resolvers = {
  TranslatableObject: {
    __resolveType: (object) =>
      '__typename' in object && object.__typename === 'Dealer' ? 'Dealer' : 'Listing',
  },
  Listing: entityResolvers('listing'),
  Dealer: entityResolvers('dealer'),
};

export const translatable: Resource = { resolvers };
