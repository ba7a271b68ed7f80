import type { MutationResolvers, QueryResolvers, SessionResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { ConsumedProofModel, LoginAttemptsModel, SessionModel } from './model.ts';
import { mySessions } from './mySessions.ts';
import { personalData } from './personalData.ts';
import { sessionPolicy } from './policy.ts';
import { revokeMyOtherSessions, revokeMySession } from './revokeMySessions.ts';

const Query: QueryResolvers = {
  mySessions: (_, args, context) => mySessions(args, context),
};

const Mutation: MutationResolvers = {
  revokeMyOtherSessions: (_, { input }, context) => revokeMyOtherSessions(input, context),
  revokeMySession: (_, { input }, context) => revokeMySession(input, context),
};

const Session: SessionResolvers = {
  current: ({ _id }, _, { viewer }) => _id === viewer.token.sessionId,
};

export const session: IdentityResource = {
  resolvers: { Query, Mutation, Session },
  policies: { Session: sessionPolicy },
  models: [SessionModel, LoginAttemptsModel, ConsumedProofModel],
  person: personalData,
};
