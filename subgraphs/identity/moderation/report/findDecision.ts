import type { FieldProblem } from '../../../../schema/Problem.ts';
import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { ownsListing } from '../../listings/listing/record/policy.ts';
import type { Reportable } from './findTarget.ts';
import { ReportModel } from './model.ts';

/** Period for an appeal by a reporter; the same as for an owner. */
const appealMs = 183 * dayMs;
const pointer = '#/target/id';

/**
 * Returns the decision that an appeal is about: the rejection of a listing, by its owner, or the outcome of a report,
 * by its author. Null if there is none.
 *
 * @throws AppError `ownership_required`, or `validation_failed` if it can no longer be appealed
 */
export async function findDecision(id: string, context: RequestContext): Promise<Reportable | null> {
  if (isId('decision', id)) return findRejection(id, context);
  return isId('report', id) ? findOutcome(id, context) : null;
}

/** Returns the rejection of a listing. Only the latest decision counts. */
async function findRejection(id: string, context: RequestContext): Promise<Reportable | null> {
  const { installationId, viewer, platform } = context;
  const listing = await reads(ListingModel, installationId).findOne({ 'moderation.id': id });
  if (!listing?.moderation) return null;
  if (!ownsListing(viewer, listing)) throw ownershipRequired();
  const { moderation, _id: listingId, owner, state } = listing;
  if (moderation.decision !== 'rejected') refuse('An approval cannot be appealed.');
  if (moderation.appealUntil === null || moderation.appealUntil.getTime() <= platform.now())
    refuse('The period for an appeal has ended.');
  return { id, ownerId: owner.id, listingId, mediaIds: [], evidence: { listingId, state, ...moderation } };
}

async function findOutcome(id: string, context: RequestContext): Promise<Reportable | null> {
  const { installationId, viewer, platform } = context;
  const report = await scoped(ReportModel, installationId).findOne({ _id: id });
  if (!report) return null;
  if (report.reporterId !== viewer.id) throw ownershipRequired();
  const { target, reason, state, resolution, resolvedAt, ownerId } = report;
  if (resolvedAt === null) refuse('This report is not resolved yet, so it cannot be appealed.');
  if (target.type === 'decision') refuse('The decision about an appeal cannot be appealed again.');
  if (resolvedAt.getTime() + appealMs <= platform.now()) refuse('The period for an appeal has ended.');
  return {
    id,
    ownerId,
    listingId: null,
    mediaIds: [],
    evidence: { target, reason, state, resolution, resolvedAt },
  };
}

function refuse(detail: string): never {
  const problems: FieldProblem[] = [problem(pointer, detail)];
  throw invalidFields(problems);
}
