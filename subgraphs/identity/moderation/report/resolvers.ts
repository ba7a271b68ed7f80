import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type {
  AdminReportResolvers,
  MeCountsResolvers,
  MutationResolvers,
  QueryResolvers,
  ReportTargetResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { userLoader } from '../../people/user/policy.ts';
import { NoticeModel } from '../notice/model.ts';
import { createReport } from './createReport.ts';
import { ReportModel, type StoredTarget } from './model.ts';
import { personalData } from './personalData.ts';
import { reportRetention } from './reportRetention.ts';
import { adminReports, countOpenReports, myReports } from './reports.ts';
import { resolveReport } from './resolveReport.ts';
import { reviewReport } from './reviewReport.ts';

const Query: QueryResolvers = {
  adminReports: (_, args, context) => adminReports(args, context),
  myReports: (_, args, context) => myReports(args, context),
};

const Mutation: MutationResolvers = {
  createReport: (_, { input }, context) => createReport(input, context),
  reviewReport: (_, { input }, context) => reviewReport(input, context),
  resolveReport: (_, { input }, context) => resolveReport(input, context),
};

/** Parent of the resolvers of `ReportTarget`. */
export type ReportTargetParent = StoredTarget;

const ReportTarget: ReportTargetResolvers = {
  targetId: ({ id }) => id,
};

const noticeLoader = recordLoader(NoticeModel);

const AdminReport: AdminReportResolvers = {
  reporter: async ({ reporterId, noticeId }, _, context) => {
    const notice = noticeId === null ? null : await context.loader(noticeLoader).load(noticeId);
    const user = reporterId === null ? null : await context.loader(userLoader).load(reporterId);
    return { userId: reporterId, name: user?.displayName ?? notice?.name ?? null };
  },
  resolution: ({ resolution, resolvedAt, updatedAt }) =>
    resolution && {
      ...resolution,
      outcome: resolution.outcome,
      actions: resolution.actions,
      resolvedAt: resolvedAt ?? updatedAt,
    },
};

const MeCounts: MeCountsResolvers = {
  // Read only for these callers, so that it costs other callers no command.
  openReports: (_, __, context) =>
    context.viewer.permissions.has('reports:manage') ? countOpenReports(context) : null,
};

export const report: IdentityResource = {
  resolvers: { Query, Mutation, ReportTarget, AdminReport, MeCounts },
  models: [ReportModel],
  person: personalData,
  jobs: [reportRetention],
  // Each action needs a permission that no guard can state, also when the request is repeated.
  keysByHand: ['resolveReport'],
};
