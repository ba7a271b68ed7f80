import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import { roles } from './roles.ts';
import { setUserRoles } from './setUserRoles.ts';

const Query: QueryResolvers = {
  roles: (_, __, context) => roles(context),
};

const Mutation: MutationResolvers = {
  setUserRoles: (_, { input }, context) => setUserRoles(input, context),
};

export const role: Resource = { resolvers: { Query, Mutation } };
