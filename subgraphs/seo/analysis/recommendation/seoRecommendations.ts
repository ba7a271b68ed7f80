import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { timed } from '../../../platform/context/timed.ts';
import type { Analysis } from '../../engine/contract.ts';
import {
  isAtLeast,
  type Recommendation,
  toRecommendations,
} from '../../engine/recommendations/toRecommendations.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { requireTextVersion } from '../../pages/object/findText.ts';
import { loadObject, localeOf } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import { findRecord, type RecordKey } from '../../pages/record/records.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { SeoAnalysisInput, SeoRecommendationsInput } from '../../seo.generated.ts';
import { resolvePage } from '../analyze/resolvePage.ts';
import { loadDismissed } from '../dismissal/dismissals.ts';
import { findCurrentSnapshot } from '../snapshot/findCurrentSnapshot.ts';
import { analyzePage } from '../threads/analyzePage.ts';

/** List of recommendations and its analysis. */
export interface SeoRecommendationsParent {
  ruleset: string;
  inputHash: string;
  scores: Analysis['scores'];
  projectedScore: number;
  total: number;
  items: (Recommendation & { priority: number })[];
}

/**
 * Returns recommendations for a page. An unchanged object with a stored analysis is not analyzed again; nothing is
 * stored.
 */
export async function seoRecommendations(
  { limit = 10, includeDismissed, minSeverity, ...rest }: SeoRecommendationsInput,
  context: RequestContext,
): Promise<SeoRecommendationsParent> {
  const page: SeoAnalysisInput = rest;
  const [ruleset, key] = await Promise.all([loadRuleset(context), findKey(context, page)]);
  const [analysis, isDismissed] = await Promise.all([
    findAnalysis(context, page, { key, ruleset }),
    key ? loadDismissed(context, key) : () => false,
  ]);
  const { items, projectedScore } = toRecommendations(analysis, ruleset, isDismissed);
  const least = minSeverity ?? 'minor';
  const wanted = items.filter(
    (item) => (includeDismissed || !item.dismissed) && isAtLeast(item.severity, least),
  );
  const { inputHash, scores } = analysis;
  return {
    ruleset: ruleset.id,
    inputHash,
    scores,
    projectedScore,
    total: wanted.length,
    items: wanted.slice(0, limit).map((item, index) => ({ ...item, priority: index + 1 })),
  };
}

/** Returns the object in the language to analyze; null for a page without an object. */
async function findKey(context: RequestContext, page: SeoAnalysisInput): Promise<RecordKey | null> {
  if (!page.object) return null;
  const object = toObjectRef(page.object);
  return {
    object,
    locale: localeOf(context, await loadObject(context, object, { details: true }), page.locale),
  };
}

/**
 * Returns the stored analysis of the object if it is current and the request contains nothing else; otherwise a new
 * one.
 */
async function findAnalysis(
  context: RequestContext,
  page: SeoAnalysisInput,
  { key, ruleset }: { key: RecordKey | null; ruleset: Ruleset },
): Promise<Pick<Analysis, 'checks' | 'scores' | 'inputHash'>> {
  const { object: _, locale: _locale, ...said } = page;
  if (key && Object.values(said).every((value) => value === undefined)) {
    const owned = await loadObject(context, key.object, { details: true });
    const [text, record] = await timed(context, 'content', () =>
      Promise.all([
        requireTextVersion(context, { object: key.object, owned }, key.locale),
        findRecord(context, key),
      ]),
    );
    const stored = await findCurrentSnapshot(context, record, { ...text, ruleset });
    if (stored) return stored;
  }
  const resolved = await timed(context, 'content', () => resolvePage(page, context));
  return timed(context, 'analysis', () => analyzePage(resolved.page, ruleset));
}
