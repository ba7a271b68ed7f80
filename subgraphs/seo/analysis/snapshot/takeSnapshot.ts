import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { analyzePage } from '../threads/analyzePage.ts';
import { draftSnapshot, type Subject } from './draftSnapshot.ts';
import { markLatest } from './markLatest.ts';
import type { StoredSnapshot } from './model.ts';
import { pruneSnapshots } from './pruneSnapshots.ts';
import { type AnalysedRecord, storeSnapshots } from './storeSnapshots.ts';

/** Outcome of the write. */
export interface TakenSnapshot {
  /** Whether an analysis was stored; false if the latest one has the same text, fields, ruleset and engine. */
  changed: boolean;
  previous: StoredSnapshot | null;
  current: StoredSnapshot;
}

/**
 * Analyzes a saved text and stores the result, unless this engine has created the latest stored one from the same text,
 * fields and ruleset. Of concurrent runs, one is stored.
 *
 * @throws AppError `payload_too_large`, `validation_failed`, `seo_analysis_timeout`, `unavailable`
 */
export async function takeSnapshot(context: RequestContext, subject: Subject): Promise<TakenSnapshot> {
  const draft = await draftSnapshot(context, subject);
  const { previous, page } = draft;
  if (!page) {
    if (!previous) throw new Error('A draft without a page has an analysis that it repeats.');
    return { changed: false, previous, current: previous };
  }
  const analysis = await analyzePage(page, draft.ruleset);
  const [current] = await keepSnapshots(context, [{ ...draft, analysis }]);
  if (!current) throw new Error('An analysis was not stored.');
  return { changed: true, previous, current };
}

/** Stores analyses as the latest of their records, and deletes those beyond the retention. */
export async function keepSnapshots(
  context: RequestContext,
  analysed: readonly AnalysedRecord[],
): Promise<StoredSnapshot[]> {
  const snapshots = await storeSnapshots(context, analysed);
  const stored = snapshots.flatMap((snapshot, index) => {
    const record = analysed[index]?.record;
    return record ? [{ record, snapshot }] : [];
  });
  await markLatest(context, stored);
  await pruneSnapshots(context, stored);
  return snapshots;
}
