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
 * Makes stored analyses their records' newest ones, and publishes those that are; one command for any number. The
 * analyses are written before: a crash in between leaves one that the next refresh finds again. Text and fields only
 * move forward, so a slow refresh never covers a later one.
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
            // Versions of two texts do not show which of them is later.
            { 'latest.textId': { $ne: textId } },
            {
              'latest.contentVersion': { $lte: contentVersion },
              'latest.recordRevision': { $lte: recordRevision },
              // A concurrent request that stored the same one has published it.
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

/** Part of an analysis in an event: its object and its verdict. Consumers can read the rest. */
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

/** Records as the relay publishes them. */
export async function describeSnapshots(records: readonly StoredSeoRecord[]): Promise<EventSubject[]> {
  return records.map(({ _id, latest }) => ({
    object: { type: 'seo_record' as const, id: _id },
    contentVersion: latest?.contentVersion ?? 0,
    content: null,
  }));
}
