import type { ClientSession } from 'mongoose';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ReportModel, type ReportRecord } from './model.ts';
import { assertFourEyes } from './policy.ts';
import { isAllowed, nextStates } from './states.ts';

/**
 * Returns a report.
 *
 * @throws AppError `not_found`, `four_eyes`
 */
export async function loadReport(
  reportId: string,
  { installationId, viewer }: RequestContext,
  session?: ClientSession,
): Promise<ReportRecord> {
  const reports = scoped(ReportModel, installationId);
  const report = isId('report', reportId)
    ? await reports.findOne({ _id: reportId }, session ? { session } : {})
    : null;
  if (!report) throw notFound('The report');
  assertFourEyes(viewer, report);
  return report;
}

/**
 * Changes the state of a report, in the transaction that has read it.
 *
 * @param further other members to set and to unset
 * @throws AppError `invalid_transition`
 */
export async function changeReport(
  context: RequestContext,
  before: ReportRecord,
  state: ReportRecord['state'],
  { set, unset = {} }: { set: Partial<ReportRecord>; unset?: { openKey?: 1 } },
  session: ClientSession,
): Promise<ReportRecord> {
  if (!isAllowed(before.state, state)) {
    throw new AppError(
      'invalid_transition',
      `A report in the state "${before.state}" cannot become "${state}".`,
      {
        allowedFrom: { state: before.state, allowed: nextStates(before.state) },
      },
    );
  }
  const changed = await scoped(ReportModel, context.installationId).findOneAndUpdate(
    { _id: before._id, version: before.version },
    {
      $set: { ...set, state, updatedAt: new Date(context.platform.now()) },
      $unset: unset,
      $inc: { version: 1 },
    },
    { session },
  );
  if (!changed) throw concurrentUpdate('report');
  return changed;
}
