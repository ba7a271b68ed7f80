import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { checkPart } from './checkPart.ts';
import { repairRelations } from './repairRelations.ts';

const resolvers: Resolvers = {
  Query: {
    relationHealth: async (_, { after }, context) => ({
      ...(await checkPart(context, after)),
      checkedAt: new Date(context.platform.now()),
    }),
  },
  Mutation: {
    repairRelations: (_, { input }, context) => repairRelations(input, context),
  },
};

export const relationHealth: Resource = { resolvers };
