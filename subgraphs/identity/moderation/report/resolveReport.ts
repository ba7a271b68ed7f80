import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { type Act, performAct } from '../../../platform/mongo/performAct.ts';
import type { ReportActionInput, ResolveReportInput } from '../../identity.generated.ts';
import { findMarkdownFault } from '../../kernel/markdown/findMarkdownFault.ts';
import { countReports } from '../../listings/listing/countReports.ts';
import { releaseMedia } from '../../media/holdMedia.ts';
import { changeReport, loadReport } from './changeReport.ts';
import { mailReporter } from './mailReporter.ts';
import type { ReportRecord } from './model.ts';
import { assertMayAct, findActionProblems, toActs } from './reportActions.ts';
import { countOf } from './storeReport.ts';

const mostActions = 5;
const longestText = 2000;

export function resolveReport(
  input: ResolveReportInput,
  context: RequestContext,
): Promise<{ report: ReportRecord }> {
  const actions = input.actions ?? [];
  assertMayAct(actions, context);
  return once(context, 'resolveReport', input, async () => ({
    report: await performAct(resolution({ ...input, actions }, context)),
  }));
}

type Input = Omit<ResolveReportInput, 'actions'> & { actions: readonly ReportActionInput[] };

/** Returns the outcome and all of its actions, as one transaction. */
function resolution(input: Input, context: RequestContext): Act<ReportRecord> {
  const acts = toActs(input.actions, context);
  const results: unknown[] = [];
  return {
    async prepare() {
      await loadReport(input.reportId, context);
      const problems = [...findProblems(input)];
      if (problems.length > 0) throw invalidFields(problems);
      for (const [index, act] of acts.entries()) await asAction(index, act.prepare());
    },
    async within(session) {
      // The report is written first. Concurrent resolvers conflict here, before they have any effect.
      const report = await resolve(input, context, session);
      for (const [index, act] of acts.entries()) results[index] = await asAction(index, act.within(session));
      const { listingId } = report;
      if (listingId !== null) await countReports(context, listingId, { [countOf(report)]: -1 }, session);
      await releaseMedia({ ...report, type: 'report', id: report._id }, session);
      await mailReporter(context, report, session);
      return report;
    },
    async settle() {
      for (const [index, act] of acts.entries()) await act.settle(results[index]);
    },
  };
}

async function resolve(input: Input, context: RequestContext, session: ClientSession): Promise<ReportRecord> {
  const before = await loadReport(input.reportId, context, session);
  assertVersion(before.version, input.expectedVersion);
  const outcome = input.outcome;
  const { answer, note } = textsOf(input);
  const actions = input.actions.map(({ type, targetId }) => ({ type, targetId }));
  const resolvedBy = context.viewer.id;
  const set = {
    resolution: { outcome, answer, note, actions, resolvedBy },
    resolvedAt: new Date(context.platform.now()),
  };
  // A decision can be appealed once; any other object may be reported again.
  const unset: { openKey?: 1 } = before.target.type === 'decision' ? {} : { openKey: 1 };
  const report = await changeReport(context, before, outcome, { set, unset }, session);
  const reason = [outcome, ...(note === null ? [] : [note])].join(', ');
  const target = { type: 'report', id: report._id };
  await recordAudit(context, { action: 'resolveReport', target, reason }, { session });
  return report;
}

/** Returns the errors of an action, with their pointers. */
async function asAction<T>(index: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    const errors = error.details.errors.map(({ pointer, ...rest }) => ({
      ...rest,
      pointer: pointer.replace('#', `#/actions/${index}`).replace(/statement$/, 'reason'),
    }));
    throw new AppError(error.code, error.message, { ...error.details, errors });
  }
}

function textsOf({ answer, note }: Input): { answer: string | null; note: string | null } {
  return { answer: answer?.trim() || null, note: note?.trim() || null };
}

function* findProblems(input: Input): Generator<FieldProblem> {
  const { outcome, actions } = input;
  const { answer, note } = textsOf(input);
  if (outcome === 'dismissed' && actions.length > 0)
    yield problem('#/actions', 'A dismissed report must have no actions.');
  if (outcome === 'action_taken' && actions.length === 0 && note === null)
    yield problem('#/actions', 'Send at least one action, or a note about what was done before.');
  if (actions.length > mostActions) yield problem('#/actions', `At most ${mostActions} actions are allowed.`);
  yield* findActionProblems(actions);
  for (const [name, text] of [
    ['answer', answer],
    ['note', note],
  ] as const) {
    const fault = text === null ? null : findMarkdownFault(text, longestText);
    if (fault) yield problem(`#/${name}`, fault);
  }
}
