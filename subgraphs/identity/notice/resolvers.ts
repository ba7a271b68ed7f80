import type { MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { createNotice } from './createNotice.ts';
import { NoticeModel } from './model.ts';

const Mutation: MutationResolvers = {
  createNotice: (_, { input }, context) => createNotice(input, context),
};

export const notice: Resource = { resolvers: { Mutation }, models: [NoticeModel] };
