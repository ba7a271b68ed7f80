import mongoose from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { loadOwned, type OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import { findContent } from '../object/loadObject.ts';
import { ownedTypeOf } from '../object/ObjectRef.ts';
import type { StoredSnapshot } from '../snapshot/model.ts';
import { takeSnapshot } from '../snapshot/takeSnapshot.ts';
import { mostAttempts, type StoredAuditItem, type StoredAuditJob } from './model.ts';
import { mayPass, type ReasonCode } from './reasons.ts';

/** Longest analysis of one item. */
const runLimitMs = 4000;

/** What is written to an item when it was dealt with. */
export type Result = Pick<
  StoredAuditItem,
  'state' | 'reason' | 'retryable' | 'snapshotId' | 'score' | 'rating' | 'issues' | 'contentVersionAnalysed'
>;

/** Nothing came of an item, and nothing is the matter with it: it goes back into the queue. */
export const untouched = Symbol('untouched');

const nothing: Omit<Result, 'state'> = {
  reason: null,
  retryable: false,
  snapshotId: null,
  score: null,
  rating: null,
  issues: null,
  contentVersionAnalysed: null,
};

/**
 * Analyses one item; whatever is wrong with it is its result, so that one item never stops a batch.
 *
 * @param ruleset of the job; null when there is no such ruleset any more
 * @throws Error of the database: then nothing can be written about the item either
 */
export async function auditItem(
  context: RequestContext,
  job: StoredAuditJob,
  item: StoredAuditItem,
  ruleset: Ruleset | null,
): Promise<Result | typeof untouched> {
  if (!ruleset) return failed(item, 'ruleset_gone');
  let owned: OwnedRecord;
  try {
    owned = await loadOwned(context, ownedTypeOf[item.objectType], item.objectId);
  } catch (error) {
    context.platform.log.warn({ err: error, item: item._id }, 'owner of an audited object not asked');
    return failed(item, 'content_source_unavailable');
  }
  const reason = reasonToSkip(owned, job, item);
  if (reason) return { ...nothing, state: 'skipped', reason };
  return analyse(context, item, owned, ruleset);
}

/** The text is as it is now, whatever it was when the job was started. */
function reasonToSkip(
  owned: OwnedRecord,
  { visibilities }: StoredAuditJob,
  { locale }: StoredAuditItem,
): ReasonCode | null {
  if (!owned.exists) return 'content_deleted';
  const { content } = owned;
  if (!owned.viewerCanRead || !content) return 'content_forbidden';
  if (visibilities && !visibilities.includes(content.visibility)) return 'content_unpublished_scope';
  if (!findContent(owned, locale)) return 'content_not_in_language';
  return content.html.trim() === '' ? 'content_empty' : null;
}

async function analyse(
  context: RequestContext,
  item: StoredAuditItem,
  { content, contentVersion }: OwnedRecord,
  ruleset: Ruleset,
): Promise<Result | typeof untouched> {
  if (!content) return { ...nothing, state: 'skipped', reason: 'content_forbidden' };
  const version = contentVersion ?? 0;
  try {
    const { current } = await takeSnapshot(context, {
      object: { type: item.objectType, id: item.objectId },
      locale: item.locale,
      content,
      contentVersion: version,
      ruleset,
      source: 'audit_job',
      limits: { runLimitMs },
    });
    return { ...nothing, state: 'succeeded', ...resultOf(current), contentVersionAnalysed: version };
  } catch (error) {
    return toFailure(context, item, error);
  }
}

function resultOf({ _id, scores, checks }: StoredSnapshot) {
  const idsOf = (rating: string) => checks.filter((check) => check.rating === rating).map(({ id }) => id);
  const { value, rating } = scores.seo;
  return { snapshotId: _id, score: value, rating, issues: { bad: idsOf('bad'), ok: idsOf('ok') } };
}

function toFailure(
  { platform, requestId }: RequestContext,
  item: StoredAuditItem,
  error: unknown,
): Result | typeof untouched {
  if (error instanceof mongoose.mongo.MongoError || error instanceof mongoose.Error) throw error;
  if (error instanceof AppError) {
    if (error.code === 'seo_analysis_timeout') return failed(item, 'analysis_timeout');
    if (error.code === 'payload_too_large' || error.code === 'validation_failed')
      return failed(item, 'content_too_large');
    if (error.code === 'unavailable') return untouched;
  }
  platform.log.error({ err: error, item: item._id, requestId }, 'audited object not analysed');
  return failed(item, 'engine_error');
}

function failed({ attempts }: StoredAuditItem, reason: ReasonCode): Result {
  return { ...nothing, state: 'failed', reason, retryable: mayPass(reason) && attempts < mostAttempts };
}
