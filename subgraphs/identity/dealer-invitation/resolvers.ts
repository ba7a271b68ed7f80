import type { DealerInvitationResolvers, MutationResolvers } from '../../../schema/identity.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { upperCase } from '../upperCase.ts';
import { acceptDealerInvitation } from './acceptDealerInvitation.ts';
import { expireInvitations } from './expireInvitations.ts';
import { inviteDealerMember } from './inviteDealerMember.ts';
import { DealerInvitationModel } from './model.ts';
import { revokeDealerInvitation } from './revokeDealerInvitation.ts';

const Mutation: MutationResolvers = {
  inviteDealerMember: (_, { input }, context) => inviteDealerMember(input, context),
  revokeDealerInvitation: (_, { input }, context) => revokeDealerInvitation(input, context),
  acceptDealerInvitation: (_, { input }, context) => acceptDealerInvitation(input, context),
};

const DealerInvitation: DealerInvitationResolvers = {
  id: ({ _id }) => _id,
  role: ({ role }) => upperCase(role),
  state: ({ state }) => upperCase(state),
};

export const dealerInvitation: Resource = {
  resolvers: { Mutation, DealerInvitation },
  models: [DealerInvitationModel],
  jobs: [expireInvitations],
  // A repetition may reach a process that still caches the caller without the membership.
  keysByHand: ['acceptDealerInvitation'],
};
