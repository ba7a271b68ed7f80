import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryadminReportsArgs, QuerymyReportsArgs } from '../../identity.generated.ts';
import { openStates, ReportModel, type ReportRecord } from './model.ts';
import { othersReports } from './policy.ts';

/** Parent of the resolvers of `AdminReport`. */
export type AdminReportParent = ReportRecord;

export function adminReports(
  { first, after, state, targetType, targetId, ownerId, reason }: QueryadminReportsArgs,
  context: RequestContext,
): Promise<Connection<ReportRecord>> {
  const filter = {
    state: { $in: state?.length ? state : [...openStates] },
    ...(targetType ? { 'target.type': targetType } : {}),
    ...(targetId ? { 'target.id': targetId } : {}),
    ...(ownerId ? { ownerId } : {}),
    ...(reason ? { reason } : {}),
  } as QueryFilter<ReportRecord>;
  return findPage({
    context,
    collection: scoped(ReportModel, context.installationId),
    filter,
    moving: othersReports(context.viewer),
    sort: [{ key: 'createdAt', direction: 1 }],
    first,
    after,
  });
}

/** Returns the reports by the caller. */
export function myReports(
  { first, after }: QuerymyReportsArgs,
  context: RequestContext,
): Promise<Connection<ReportRecord>> {
  return findPage({
    context,
    collection: scoped(ReportModel, context.installationId),
    filter: { reporterId: context.viewer.id },
    sort: [{ key: 'createdAt', direction: -1 }],
    first,
    after,
  });
}

/** Counts the reports that need a decision, up to the maximum that a badge shows. */
export function countOpenReports({ installationId, viewer }: RequestContext): Promise<number> {
  return scoped(ReportModel, installationId).count(
    { state: { $in: [...openStates] }, ...othersReports(viewer) },
    { limit: 1000 },
  );
}
