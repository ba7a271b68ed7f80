import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { QueryResolvers } from '../../identity.generated.ts';
import { authProviders } from './authProviders.ts';
import { IssuerModel } from './model.ts';

const Query: QueryResolvers = {
  authProviders: (_, __, context) => authProviders(context),
};

export const issuer: Resource = {
  resolvers: { Query },
  models: [IssuerModel],
};
