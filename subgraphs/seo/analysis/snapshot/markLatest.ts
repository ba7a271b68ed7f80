import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { announce } from '../../../platform/events/outbox.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import type { LatestSnapshot, StoredSeoRecord } from '../../pages/record/model.ts';
import { forgetRecords, recordsOf } from '../../pages/record/records.ts';
import type { StoredSnapshot } from './model.ts';

/** Record and a stored analysis of it. */
export interface SnapshotOfRecord {
  readonly record: StoredSeoRecord;
  readonly snapshot: StoredSnapshot;
}

/**
 * Makes stored analyses the latest ones of their records and publishes them, in one command for any number. The
 * analyses are stored before; after a crash in between, the next refresh finds them again. Text and fields only move
 * forward, so a slow refresh never replaces a later one.
 */
export async function markLatest(
  context: RequestContext,
  stored: readonly SnapshotOfRecord[],
): Promise<void> {
  if (stored.length === 0) return;
  await recordsOf(context).writeEach(
    stored.map(({ record, snapshot }) => {
      const { _id: snapshotId, textId, contentVersion, recordRevision, ruleset, repetition } = snapshot;
      const basis = { textId, contentVersion, recordRevision, ruleset, repetition };
      const latest: LatestSnapshot = { snapshotId, ...basis };
      return {
        filter: {
          _id: record._id,
          $or: [
            { latest: null },
            // Versions of two different texts are not comparable.
            { 'latest.textId': { $ne: textId } },
            {
              'latest.contentVersion': { $lte: contentVersion },
              'latest.recordRevision': { $lte: recordRevision },
              // A concurrent request that stored the same analysis has published it.
              'latest.snapshotId': { $ne: snapshotId },
            },
          ],
        },
        update: { $set: { latest }, $push: tell(context, snapshot) },
      };
    }),
  );
  forgetRecords(
    context,
    stored.map(({ record }) => record),
  );
}

/** Publishes the part of an analysis for events: its object and its verdict. Consumers can read the rest. */
function tell(context: RequestContext, snapshot: StoredSnapshot): ReturnType<typeof announce> {
  const { _id: snapshotId, objectType, objectId, source, ruleset, contentVersion, createdBy } = snapshot;
  const { value: score, rating } = snapshot.scores.seo;
  const data = {
    snapshotId,
    objectType,
    objectId,
    source,
    ruleset,
    contentVersion,
    score,
    rating,
    createdBy,
  };
  return announce(context, 'seo.snapshot.created', { data });
}

/** Returns analyses for publication by the relay. */
export async function describeSnapshots(records: readonly StoredSeoRecord[]): Promise<EventSubject[]> {
  return records.map(({ _id, latest }) => ({
    object: { type: 'seo_record' as const, id: _id },
    contentVersion: latest?.contentVersion ?? 0,
    content: null,
  }));
}
