import type { MutationResolvers, QueryResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { acceptDealerInvitation } from './acceptDealerInvitation.ts';
import { dealerMembers } from './dealerMembers.ts';
import { expireInvitations } from './expireInvitations.ts';
import { inviteDealerMember } from './inviteDealerMember.ts';
import { DealerInvitationModel } from './model.ts';
import { personalData } from './personalData.ts';
import { revokeDealerInvitation } from './revokeDealerInvitation.ts';

const Query: QueryResolvers = {
  dealerMembers: (_, args, context) => dealerMembers(args, context),
};

const Mutation: MutationResolvers = {
  inviteDealerMember: (_, { input }, context) => inviteDealerMember(input, context),
  revokeDealerInvitation: (_, { input }, context) => revokeDealerInvitation(input, context),
  acceptDealerInvitation: (_, { input }, context) => acceptDealerInvitation(input, context),
};

export const dealerInvitation: IdentityResource = {
  resolvers: { Query, Mutation },
  models: [DealerInvitationModel],
  person: personalData,
  jobs: [expireInvitations],
  // A retry may reach a process that still caches the caller without the membership.
  keysByHand: ['acceptDealerInvitation'],
};
