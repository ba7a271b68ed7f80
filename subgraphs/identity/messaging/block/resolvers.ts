import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { BlockResolvers, MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { nameOf } from '../conversation/resolvers.ts';
import { blockUser, unblockUser } from './blockUser.ts';
import { BlockModel } from './model.ts';
import { personalData } from './personalData.ts';

const Query: QueryResolvers = {
  myBlocks: (_, { first, after }, context) =>
    findPage({
      context,
      collection: scoped(BlockModel, context.installationId),
      filter: { userId: context.viewer.id },
      sort: [{ key: 'createdAt', direction: -1 }],
      first,
      after,
    }),
};

const Mutation: MutationResolvers = {
  blockUser: (_, { input }, context) => blockUser(input, context),
  unblockUser: (_, { input }, context) => unblockUser(input, context),
};

const Block: BlockResolvers = {
  userId: ({ blockedUserId }) => blockedUserId,
  displayName: ({ blockedUserId }, _, context) => nameOf(blockedUserId, context),
};

export const block: IdentityResource = {
  resolvers: { Query, Mutation, Block },
  models: [BlockModel],
  person: personalData,
};
