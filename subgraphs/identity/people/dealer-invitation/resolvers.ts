import type { MutationResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { acceptDealerInvitation } from './acceptDealerInvitation.ts';
import { expireInvitations } from './expireInvitations.ts';
import { inviteDealerMember } from './inviteDealerMember.ts';
import { DealerInvitationModel } from './model.ts';
import { personalData } from './personalData.ts';
import { revokeDealerInvitation } from './revokeDealerInvitation.ts';

const Mutation: MutationResolvers = {
  inviteDealerMember: (_, { input }, context) => inviteDealerMember(input, context),
  revokeDealerInvitation: (_, { input }, context) => revokeDealerInvitation(input, context),
  acceptDealerInvitation: (_, { input }, context) => acceptDealerInvitation(input, context),
};

export const dealerInvitation: IdentityResource = {
  resolvers: { Mutation },
  models: [DealerInvitationModel],
  person: personalData,
  jobs: [expireInvitations],
  // A repetition may reach a process that still caches the caller without the membership.
  keysByHand: ['acceptDealerInvitation'],
};
