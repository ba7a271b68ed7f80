import type { AuditActor } from '../../../platform/audit/store/model.ts';
import { heldByRoles } from '../../../platform/principal/Viewer.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type {
  AdminUserResolvers,
  MutationResolvers,
  QueryResolvers,
  UserStateActorResolvers,
} from '../../identity.generated.ts';
import { adminUser } from './adminUser.ts';
import { adminUsers } from './adminUsers.ts';
import { membershipLoader } from './membershipLoader.ts';
import { reinstateUser } from './reinstateUser.ts';
import { revokeUserSessions } from './revokeUserSessions.ts';
import { sessionSummaryLoader } from './sessionSummaryLoader.ts';
import { suspendUser } from './suspendUser.ts';

/** Parent of the resolvers of `UserStateActor`. */
export type UserStateActorParent = AuditActor;

const Query: QueryResolvers = {
  adminUsers: (_, args, context) => adminUsers(args, context),
  adminUser: (_, { userId }, context) => adminUser(userId, context),
};

const Mutation: MutationResolvers = {
  suspendUser: (_, { input }, context) => suspendUser(input, context),
  reinstateUser: (_, { input }, context) => reinstateUser(input, context),
  revokeUserSessions: (_, { input }, context) => revokeUserSessions(input, context),
};

const AdminUser: AdminUserResolvers = {
  stateHistory: ({ stateHistory }) =>
    stateHistory.map(({ by, state, ...change }) => ({ ...change, trigger: by, state })),
  permissions: ({ roles }) => [...heldByRoles(roles)].sort(),
  dealerMemberships: async ({ _id }, _, context) =>
    (await context.loader(membershipLoader).load(_id)).map(({ dealer, member }) => ({
      dealerId: dealer._id,
      name: dealer.tradeName,
      dealerState: dealer.state,
      role: member.role,
      locationIds: member.locationIds,
    })),
  sessions: ({ _id }, _, context) => context.loader(sessionSummaryLoader).load(_id),
};

const UserStateActor: UserStateActorResolvers = {
  actorId: ({ id }) => id,
};

export const userAdministration: Resource = {
  resolvers: { Query, Mutation, AdminUser, UserStateActor },
};
