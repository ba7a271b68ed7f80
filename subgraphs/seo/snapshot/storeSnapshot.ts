import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { newId } from '../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../platform/installation/scoped.ts';
import type { Analysis } from '../engine/contract.ts';
import type { LatestSnapshot, StoredSeoRecord } from '../record/model.ts';
import { recordsOf, rememberRecord } from '../record/records.ts';
import type { StoredSnapshot } from './model.ts';
import { snapshotsOf } from './snapshots.ts';

/** What an analysis was made of; together with the record it names exactly one stored analysis. */
export type Basis = Omit<LatestSnapshot, 'snapshotId'>;

/** Stores an analysis; if somebody stored the same one in the meantime, answers his. */
export async function storeSnapshot(
  context: RequestContext,
  record: StoredSeoRecord,
  { source, ...basis }: Basis & Pick<StoredSnapshot, 'source'>,
  { engineVersion, inputHash, profile, language, scores, checks, metrics }: Analysis,
): Promise<StoredSnapshot> {
  const snapshots = snapshotsOf(context);
  try {
    return await snapshots.insert({
      _id: newId('seoSnapshot'),
      recordId: record._id,
      objectType: record.objectType,
      objectId: record.objectId,
      ...basis,
      source,
      engineVersion,
      inputHash,
      profile,
      language,
      scores,
      checks,
      metrics,
      createdAt: new Date(context.platform.now()),
      createdBy: context.viewer.id,
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const existing = await snapshots.findOne({ recordId: record._id, ...basis });
    if (!existing) throw error;
    return existing;
  }
}

/**
 * Makes a stored analysis the record's newest one. The analysis is written before: a crash in between leaves one that
 * the next refresh finds again. Text and fields only move forward, so a slow refresh never covers a later one.
 */
export async function markLatest(
  context: RequestContext,
  record: StoredSeoRecord,
  { _id: snapshotId, contentVersion, recordRevision, ruleset, repetition }: StoredSnapshot,
): Promise<void> {
  const latest: LatestSnapshot = { snapshotId, contentVersion, recordRevision, ruleset, repetition };
  const marked = await recordsOf(context).findOneAndUpdate(
    {
      _id: record._id,
      $or: [
        { latest: null },
        {
          'latest.contentVersion': { $lte: contentVersion },
          'latest.recordRevision': { $lte: recordRevision },
        },
      ],
    },
    { $set: { latest } },
  );
  if (marked) rememberRecord(context, marked);
}
