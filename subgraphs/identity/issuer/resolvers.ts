import type { QueryResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { authProviders } from './authProviders.ts';
import { IssuerModel } from './model.ts';

const Query: QueryResolvers = {
  authProviders: (_, __, context) => authProviders(context),
};

export const issuer: Resource = {
  resolvers: { Query },
  models: [IssuerModel],
};
