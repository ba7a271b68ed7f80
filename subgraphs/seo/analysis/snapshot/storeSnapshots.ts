import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { repeatableId } from '../../../platform/ids/newId.ts';
import type { Analysis } from '../../engine/contract.ts';
import type { LatestSnapshot, StoredSeoRecord } from '../../pages/record/model.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot, snapshotsOf } from './snapshots.ts';

/** Inputs of an analysis. Record, basis and engine version determine the id of the stored analysis. */
export type Basis = Omit<LatestSnapshot, 'snapshotId'>;

/** An analysis to store. */
export interface AnalysedRecord {
  readonly record: StoredSeoRecord;
  readonly basis: Basis;
  readonly source: StoredSnapshot['source'];
  readonly analysis: Analysis;
}

/**
 * Stores any number of analyses with one command. Returns the existing record of an analysis that was stored before.
 */
export async function storeSnapshots(
  context: RequestContext,
  analysed: readonly AnalysedRecord[],
): Promise<StoredSnapshot[]> {
  if (analysed.length === 0) return [];
  const drafts = analysed.map((one) => toSnapshot(context, one));
  const present = await snapshotsOf(context).insertAbsent(drafts);
  return Promise.all(
    drafts.map(async (draft, index) => {
      if (!present.has(index)) return draft;
      const stored = await findSnapshot(context, draft._id);
      // Removed by pruning in between.
      if (!stored) throw concurrentUpdate('analysis');
      return stored;
    }),
  );
}

/** Returns the id. Concurrent analyses of the same basis have the same id, so only the first is stored. */
function snapshotId(recordId: string, basis: Basis, engineVersion: string): string {
  const { textId, contentVersion, recordRevision, ruleset, repetition } = basis;
  const numbers = [contentVersion, recordRevision, repetition].map(String);
  return repeatableId('seoSnapshot', recordId, textId ?? '', ruleset, engineVersion, ...numbers);
}

function toSnapshot(
  { platform, installationId, viewer }: RequestContext,
  { record, basis, source, analysis }: AnalysedRecord,
): StoredSnapshot {
  const { engineVersion, inputHash, profile, language, scores, checks, metrics } = analysis;
  return {
    _id: snapshotId(record._id, basis, engineVersion),
    installationId,
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
    createdAt: new Date(platform.now()),
    createdBy: viewer.id,
  };
}
