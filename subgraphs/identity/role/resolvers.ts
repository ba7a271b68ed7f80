import type { MutationResolvers, QueryResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { upperCase } from '../upperCase.ts';
import { roles } from './roles.ts';
import { setUserRoles } from './setUserRoles.ts';

const Query: QueryResolvers = {
  roles: (_, __, context) => {
    const catalogue = roles(context);
    return {
      roles: catalogue.roles.map((entry) => ({ ...entry, role: upperCase(entry.role) })),
      permissions: catalogue.permissions.map((entry) => ({
        ...entry,
        roles: entry.roles.map(upperCase),
        own: entry.own.map(upperCase),
      })),
    };
  },
};

const Mutation: MutationResolvers = {
  setUserRoles: (_, { input }, context) => setUserRoles(input, context),
};

export const role: Resource = { resolvers: { Query, Mutation } };
