import type { SeoRefreshInput } from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { analyzePage } from '../analysis/analyzePage.ts';
import { savedPage } from '../analysis/savedPage.ts';
import { assertContent, loadWritable, localeOf } from '../object/loadObject.ts';
import { toObjectRef } from '../object/ObjectRef.ts';
import { ensureRecord } from '../record/records.ts';
import { loadRuleset } from '../ruleset/rulesets.ts';
import { type Comparison, compareAnalyses } from './compareAnalyses.ts';
import { isMadeOf } from './findCurrentSnapshot.ts';
import type { StoredSnapshot } from './model.ts';
import { pruneSnapshots } from './pruneSnapshots.ts';
import { findSnapshot } from './snapshots.ts';
import { type Basis, markLatest, storeSnapshot } from './storeSnapshot.ts';

/** What a refresh brought. */
export interface RefreshOutcome extends Comparison {
  changed: boolean;
  previous: StoredSnapshot | null;
  current: StoredSnapshot;
}

/**
 * Analyses the saved text of an object and stores the result, unless the newest stored one was made of the same text,
 * fields and ruleset. Refreshes that run at once compute the same and store it once.
 *
 * @throws AppError `not_found`, `ownership_required`, `seo_no_content_in_language`, `seo_content_version_conflict`
 */
export async function seoRefresh(context: RequestContext, input: SeoRefreshInput): Promise<RefreshOutcome> {
  const object = toObjectRef(input.object);
  const owned = await loadWritable(context, object);
  const locale = localeOf(context, owned, input.locale);
  const content = assertContent(owned, locale);
  const contentVersion = owned.contentVersion ?? 0;
  assertContentVersion(contentVersion, input.ifContentVersion);
  const [record, ruleset] = await Promise.all([
    ensureRecord(context, { object, locale }),
    loadRuleset(context),
  ]);
  const previous = record.latest && (await findSnapshot(context, record.latest.snapshotId));
  const basis: Basis = {
    contentVersion,
    recordRevision: record.revision,
    ruleset: ruleset.id,
    repetition: 0,
  };
  if (record.latest && isMadeOf(record.latest, basis)) {
    if (previous && !input.force) return outcome(false, previous, previous);
    basis.repetition = record.latest.repetition + 1;
  }
  const analysis = await analyzePage(savedPage(object.type, locale, content, record), ruleset);
  const current = await storeSnapshot(context, record, basis, analysis);
  await markLatest(context, record, current);
  await pruneSnapshots(context, record._id, current._id);
  return outcome(true, previous, current);
}

function assertContentVersion(actual: number, expected: string | null | undefined): void {
  if (expected === null || expected === undefined || expected === String(actual)) return;
  throw new AppError(
    'seo_content_version_conflict',
    `The text is at version ${actual}, not ${expected}: read it again and repeat the refresh.`,
    { contentVersion: String(actual) },
  );
}

function outcome(changed: boolean, previous: StoredSnapshot | null, current: StoredSnapshot): RefreshOutcome {
  return { changed, previous, current, ...compareAnalyses(previous, current) };
}
