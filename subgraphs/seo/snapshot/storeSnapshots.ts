import { concurrentUpdate } from '../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { newId } from '../../platform/ids/newId.ts';
import type { Analysis } from '../engine/contract.ts';
import type { LatestSnapshot, StoredSeoRecord } from '../record/model.ts';
import type { StoredSnapshot } from './model.ts';
import { snapshotsOf } from './snapshots.ts';

/** What an analysis was made of; together with record and engine it names exactly one stored analysis. */
export type Basis = Omit<LatestSnapshot, 'snapshotId'>;

/** An analysis that is to be stored. */
export interface AnalysedRecord {
  readonly record: StoredSeoRecord;
  readonly basis: Basis;
  readonly source: StoredSnapshot['source'];
  readonly analysis: Analysis;
}

/** Stores analyses, in one command for any number. Of one that is stored already, the stored one is answered. */
export async function storeSnapshots(
  context: RequestContext,
  analysed: readonly AnalysedRecord[],
): Promise<StoredSnapshot[]> {
  if (analysed.length === 0) return [];
  const snapshots = snapshotsOf(context);
  const made = analysed.map((one) => toSnapshot(context, one));
  const refused = await snapshots.insertAbsent(made);
  if (refused.size === 0) return made;
  const stored = await snapshots.find({ $or: made.map(basisOf) });
  const byBasis = new Map(stored.map((snapshot) => [JSON.stringify(basisOf(snapshot)), snapshot]));
  return made.map((snapshot) => {
    const existing = byBasis.get(JSON.stringify(basisOf(snapshot)));
    // Pruned in between.
    if (!existing) throw concurrentUpdate('analysis');
    return existing;
  });
}

function basisOf({
  recordId,
  textId,
  contentVersion,
  recordRevision,
  ruleset,
  engineVersion,
  repetition,
}: StoredSnapshot) {
  const basis = { recordId, textId: textId ?? null, contentVersion, recordRevision };
  return { ...basis, ruleset, engineVersion, repetition };
}

function toSnapshot(
  { platform, installationId, viewer }: RequestContext,
  { record, basis, source, analysis }: AnalysedRecord,
): StoredSnapshot {
  const { engineVersion, inputHash, profile, language, scores, checks, metrics } = analysis;
  return {
    _id: newId('seoSnapshot'),
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
