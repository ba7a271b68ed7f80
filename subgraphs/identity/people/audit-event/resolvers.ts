import type { AuditEventRecord } from '../../../platform/audit/store/model.ts';
import type { AuditEventResolvers, QueryResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { auditEvents } from './auditEvents.ts';
import { personalData } from './personalData.ts';

/** Parent of the resolvers of `AuditEvent`. */
export type AuditEventParent = AuditEventRecord;

const Query: QueryResolvers = {
  auditEvents: (_, args, context) => auditEvents(args, context),
};

const AuditEvent: AuditEventResolvers = {
  // Events from before refusals were counted have no count.
  count: ({ count }) => count ?? 1,
};

export const auditEvent: IdentityResource = {
  resolvers: { Query, AuditEvent },
  person: personalData,
};
