import type { AuditEventRecord, AuditActor as StoredActor } from '../../../platform/audit/store/model.ts';
import type {
  AuditActorResolvers,
  AuditEventResolvers,
  AuditTargetResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { auditEvents } from './auditEvents.ts';
import { personalData } from './personalData.ts';

/** Parent of the resolvers of `AuditEvent`. */
export type AuditEventParent = AuditEventRecord;

/** Parent of the resolvers of `AuditActor`. */
export type AuditActorParent = StoredActor;

/** Parent of the resolvers of `AuditTarget`. */
export type AuditTargetParent = NonNullable<AuditEventRecord['target']>;

const Query: QueryResolvers = {
  auditEvents: (_, args, context) => auditEvents(args, context),
};

const AuditEvent: AuditEventResolvers = {
  // Events from before refusals were counted have no count.
  count: ({ count }) => count ?? 1,
};

const AuditActor: AuditActorResolvers = {
  actorId: ({ id }) => id,
};

const AuditTarget: AuditTargetResolvers = {
  targetId: ({ id }) => id,
};

export const auditEvent: IdentityResource = {
  resolvers: { Query, AuditEvent, AuditActor, AuditTarget },
  person: personalData,
};
