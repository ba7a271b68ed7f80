import mongoose from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { loadOwned, type OwnedRecord } from '../../../platform/federation/askOwner.ts';
import { draftSnapshot, type SnapshotDraft } from '../../analysis/snapshot/draftSnapshot.ts';
import type { StoredSnapshot } from '../../analysis/snapshot/model.ts';
import type { AnalysedRecord, Basis } from '../../analysis/snapshot/storeSnapshots.ts';
import { keepSnapshots } from '../../analysis/snapshot/takeSnapshot.ts';
import { analyzePage } from '../../analysis/threads/analyzePage.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { findText, type ObjectText } from '../../pages/object/findText.ts';
import { ownedTypeOf } from '../../pages/object/ObjectRef.ts';
import { type AuditJobHead, mostAttempts } from '../job/model.ts';
import { mayPass, type ReasonCode } from '../job/reasons.ts';
import type { Result } from '../job/reduce.ts';
import type { AuditItemView } from './items.ts';

/** Maximum duration of the analysis of one item, in milliseconds. */
const runLimitMs = 4000;

/** The item has no result and no error: it returns to the queue. */
const untouched = null;

const nothing: Omit<Result, 'state'> = {
  reason: null,
  retryable: false,
  snapshotId: null,
  score: null,
  rating: null,
  issues: null,
  contentVersionAnalysed: null,
  textId: null,
};

/**
 * Analyzes items. An error of one item is its result, so that it does not stop the batch. Inputs are read together, the
 * analyses run one after the other, and the results are stored together.
 *
 * @param ruleset of the job; null if it no longer exists
 * @param isLate returns whether the time for another analysis is over
 * @returns the result of each item
 * @throws Error of the database; then no result can be stored either
 */
export async function auditItems(
  context: RequestContext,
  job: AuditJobHead,
  items: readonly AuditItemView[],
  { ruleset, isLate }: { ruleset: Ruleset | null; isLate(): boolean },
): Promise<(Result | null)[]> {
  const begun = await Promise.all(items.map((item) => beginItem(context, job, item, ruleset)));
  const analysed: Step[] = [];
  for (const [index, item] of items.entries()) {
    const step = begun[index] ?? untouched;
    analysed.push(isDraft(step) ? await analyse(context, item, step, isLate) : step);
  }
  const kept = analysed.filter(isAnalysed);
  const snapshots = await keepSnapshots(context, kept);
  const snapshotOf = new Map(kept.map((step, index) => [step, snapshots[index]]));
  return analysed.map((step) => {
    if (!isAnalysed(step) && !isDraft(step)) return step;
    const snapshot = isAnalysed(step) ? snapshotOf.get(step) : step.previous;
    return snapshot ? succeeded(snapshot, step.basis) : untouched;
  });
}

/** Progress of an item: to be analyzed, analyzed, or finished. */
type Step = SnapshotDraft | AnalysedRecord | Result | null;

function isDraft(step: Step): step is SnapshotDraft {
  return step !== untouched && 'page' in step;
}

function isAnalysed(step: Step): step is AnalysedRecord {
  return step !== untouched && 'analysis' in step;
}

/** Reads the inputs of an item's analysis. */
async function beginItem(
  context: RequestContext,
  job: AuditJobHead,
  item: AuditItemView,
  ruleset: Ruleset | null,
): Promise<Step> {
  if (!ruleset) return failed(item, 'ruleset_gone');
  const object = { type: item.objectType, id: item.objectId };
  let found: { owned: OwnedRecord; text: ObjectText | null };
  try {
    const owned = await loadOwned(context, ownedTypeOf[object.type], object.id, 'details');
    found = { owned, text: await findText(context, { object, owned }, item.locale, { details: true }) };
  } catch (error) {
    context.platform.log.warn({ err: error, item: item.id }, 'owner of an audited object not asked');
    return failed(item, 'content_source_unavailable');
  }
  const { text } = found;
  const reason = reasonToSkip(found, job);
  if (reason || !text) return { ...nothing, state: 'skipped', reason: reason ?? 'content_not_in_language' };
  try {
    return await draftSnapshot(context, { object, locale: item.locale, text, ruleset, source: 'audit_job' });
  } catch (error) {
    return toFailure(context, item, error);
  }
}

/** Returns why an item is skipped. Its current text counts, not the one when the job was started. */
function reasonToSkip(
  { owned, text }: { owned: OwnedRecord; text: ObjectText | null },
  { visibilities }: AuditJobHead,
): ReasonCode | null {
  if (!owned.exists) return 'content_deleted';
  if (!owned.viewerCanRead || !owned.content) return 'content_forbidden';
  const { visibility } = text ?? owned.content;
  if (visibilities && !visibilities.includes(visibility)) return 'content_unpublished_scope';
  return text?.content.html.trim() === '' ? 'content_empty' : null;
}

async function analyse(
  context: RequestContext,
  item: AuditItemView,
  draft: SnapshotDraft,
  isLate: () => boolean,
): Promise<Step> {
  if (!draft.page) return draft;
  if (isLate()) return untouched;
  const { record, basis, source } = draft;
  try {
    const analysis = await analyzePage(draft.page, draft.ruleset, runLimitMs);
    return { record, basis, source, analysis };
  } catch (error) {
    return toFailure(context, item, error);
  }
}

function succeeded({ _id, scores, checks }: StoredSnapshot, { contentVersion, textId }: Basis): Result {
  const idsOf = (rating: string) => checks.filter((check) => check.rating === rating).map(({ id }) => id);
  const { value, rating } = scores.seo;
  return {
    ...nothing,
    state: 'succeeded',
    snapshotId: _id,
    score: value,
    rating,
    issues: { bad: idsOf('bad'), ok: idsOf('ok') },
    contentVersionAnalysed: contentVersion,
    textId,
  };
}

function toFailure(
  { platform, requestId }: RequestContext,
  item: AuditItemView,
  error: unknown,
): Result | null {
  if (error instanceof mongoose.mongo.MongoError || error instanceof mongoose.Error) throw error;
  if (error instanceof AppError) {
    if (error.code === 'seo_analysis_timeout') return failed(item, 'analysis_timeout');
    if (error.code === 'payload_too_large') return failed(item, 'content_too_large');
    if (error.code === 'unavailable') return untouched;
  }
  platform.log.error({ err: error, item: item.id, requestId }, 'audited object not analysed');
  return failed(item, 'engine_error');
}

function failed({ attempts }: AuditItemView, reason: ReasonCode): Result {
  return { ...nothing, state: 'failed', reason, retryable: mayPass(reason) && attempts < mostAttempts };
}
