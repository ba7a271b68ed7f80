import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound, problem } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { CreateReportInput } from '../../identity.generated.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';
import { findDecision } from './findDecision.ts';
import { findTarget, type Reportable } from './findTarget.ts';
import { ReportModel, type ReportRecord, type StoredTarget } from './model.ts';
import { storeReport, toOpenKey } from './storeReport.ts';

const longestText = 2000;

export async function createReport(
  input: CreateReportInput,
  context: RequestContext,
): Promise<{ report: ReportRecord }> {
  return { report: await report(input, context, context.attempt.newId('report')) };
}

async function report(input: CreateReportInput, context: RequestContext, _id: string): Promise<ReportRecord> {
  const type = input.target.type;
  const found = await find({ type, id: input.target.id }, context);
  if (!found) throw notFound('The reported object');
  const reason = input.reason;
  const text = input.text?.trim() || null;
  const problems = [...findProblems({ type, reason, text }, found, context)];
  if (problems.length > 0) throw invalidFields(problems);
  const { viewer, installationId } = context;
  const target = { type, id: found.id };
  const { ownerId, listingId, mediaIds, evidence } = found;
  try {
    return await inTransaction((session) =>
      storeReport(
        context,
        {
          _id,
          source: 'report',
          target,
          listingId,
          mediaIds,
          ownerId,
          reason,
          text,
          url: null,
          reporterId: viewer.id,
          noticeId: null,
          openKey: toOpenKey(viewer.id, target),
          evidence,
        },
        session,
      ),
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // An earlier run under the same key may have crashed after it stored the report.
    const earlier = await scoped(ReportModel, installationId).findOne({ _id });
    if (earlier) return earlier;
    throw new AppError('already_reported', 'You have already reported this.');
  }
}

async function find({ type, id }: StoredTarget, context: RequestContext): Promise<Reportable | null> {
  return type === 'decision' ? findDecision(id, context) : findTarget({ type, id }, context);
}

function* findProblems(
  { type, reason, text }: { type: StoredTarget['type']; reason: ReportRecord['reason']; text: string | null },
  { ownerId }: Reportable,
  { viewer }: RequestContext,
): Generator<FieldProblem> {
  if ((type === 'decision') !== (reason === 'appeal'))
    yield problem('#/reason', 'An appeal must have the reason "appeal", and no other report may have it.');
  const isOwn = ownerId === viewer.id || viewer.membershipOf(ownerId ?? '') !== undefined;
  if (type !== 'decision' && isOwn)
    yield problem('#/target/id', 'You cannot report yourself, or what belongs to you or your dealer.');
  const fault = text === null ? null : findMarkdownFault(text, longestText);
  if (fault) yield problem('#/text', fault);
}
