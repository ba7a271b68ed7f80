import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { OwnedContent } from '../../platform/federation/askOwner.ts';
import type { AnalysisLimits } from '../analysis/AnalysisPool.ts';
import { analyzePage } from '../analysis/analyzePage.ts';
import { savedPage } from '../analysis/savedPage.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import type { ObjectRef } from '../object/ObjectRef.ts';
import { ensureRecord } from '../record/records.ts';
import { withSurroundings } from '../surrounding/withSurroundings.ts';
import { isMadeOf } from './findCurrentSnapshot.ts';
import type { StoredSnapshot } from './model.ts';
import { pruneSnapshots } from './pruneSnapshots.ts';
import { findSnapshot } from './snapshots.ts';
import { type Basis, markLatest, storeSnapshot } from './storeSnapshot.ts';

/** A saved text, as its owner answers it, and how it is analysed for whom. */
export interface Subject {
  readonly object: ObjectRef;
  readonly locale: string;
  readonly content: OwnedContent;
  readonly contentVersion: number;
  readonly ruleset: Ruleset;
  readonly source: StoredSnapshot['source'];
  /** Analyses although nothing changed. */
  readonly force?: boolean;
  readonly limits?: AnalysisLimits;
}

/** What came of it. */
export interface TakenSnapshot {
  /** Whether an analysis was stored; false when the newest one is of the same text, fields and ruleset. */
  changed: boolean;
  previous: StoredSnapshot | null;
  current: StoredSnapshot;
}

/**
 * Analyses a saved text and stores the result, unless the newest stored one was made of the same text, fields and
 * ruleset. Those that run at once compute the same and store it once.
 *
 * @throws AppError `payload_too_large`, `validation_failed`, `seo_analysis_timeout`, `unavailable`
 */
export async function takeSnapshot(
  context: RequestContext,
  { object, locale, content, contentVersion, ruleset, source, force = false, limits }: Subject,
): Promise<TakenSnapshot> {
  const record = await ensureRecord(context, { object, locale });
  const previous = record.latest && (await findSnapshot(context, record.latest.snapshotId));
  const basis: Basis = {
    contentVersion,
    recordRevision: record.revision,
    ruleset: ruleset.id,
    repetition: 0,
  };
  if (record.latest && isMadeOf(record.latest, basis)) {
    if (previous && !force) return { changed: false, previous, current: previous };
    basis.repetition = record.latest.repetition + 1;
  }
  const saved = savedPage(object.type, locale, content, record);
  const page = await withSurroundings(context, { object, locale }, saved);
  const analysis = await analyzePage(page, ruleset, limits);
  const current = await storeSnapshot(context, record, { ...basis, source }, analysis);
  await markLatest(context, record, current);
  await pruneSnapshots(context, record._id, current._id);
  return { changed: true, previous, current };
}
