import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { createDealerApiClient } from './createDealerApiClient.ts';
import { deleteDealerApiClient } from './deleteDealerApiClient.ts';
import { ApiClientModel } from './model.ts';

const Query: QueryResolvers = {
  dealerApiClients: (_, { dealerId, first, after }, context) =>
    findPage({
      context,
      collection: scoped(ApiClientModel, context.installationId),
      filter: { dealerId },
      sort: [{ key: 'createdAt', direction: -1 }],
      first,
      after,
    }),
};

const Mutation: MutationResolvers = {
  createDealerApiClient: (_, { input }, context) => createDealerApiClient(input, context),
  deleteDealerApiClient: (_, { input }, context) => deleteDealerApiClient(input, context),
};

export const apiClient: Resource = {
  resolvers: { Query, Mutation },
  models: [ApiClientModel],
  // The secret is part of the response and is stored encrypted.
  keysByHand: ['createDealerApiClient'],
};
