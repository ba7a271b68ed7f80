import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { timed } from '../../../platform/context/timed.ts';
import type { Analysis } from '../../engine/contract.ts';
import { kindsToSimulate, type Simulation } from '../../engine/recommendations/simulate.ts';
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
import { engineThreads } from '../threads/EngineThreads.ts';

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
 * Returns recommendations for a page. An unchanged object with a stored analysis is not analyzed again, except by the
 * checks of its recommended changes; nothing is stored.
 */
export async function seoRecommendations(
  { limit = 10, includeDismissed, minSeverity, ...rest }: SeoRecommendationsInput,
  context: RequestContext,
): Promise<SeoRecommendationsParent> {
  const page: SeoAnalysisInput = rest;
  const [ruleset, key] = await Promise.all([loadRuleset(context), findKey(context, page)]);
  const [{ analysis, simulation }, isDismissed] = await Promise.all([
    analyze(context, page, { key, ruleset }),
    key ? loadDismissed(context, key) : () => false,
  ]);
  const { items, projectedScore } = toRecommendations(analysis, ruleset, isDismissed, simulation);
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

type AnalysisOfPage = Pick<Analysis, 'inputHash' | 'scores' | 'checks' | 'metrics'>;

/** Returns an analysis, and the results of the checks after suggestions for its findings are applied. */
async function analyze(
  context: RequestContext,
  sent: SeoAnalysisInput,
  { key, ruleset }: { key: RecordKey | null; ruleset: Ruleset },
): Promise<{ analysis: AnalysisOfPage; simulation: Simulation }> {
  const stored = key && (await findStored(context, sent, { key, ruleset }));
  if (stored && kindsToSimulate(stored).length === 0) return { analysis: stored, simulation: {} };
  const { page } = await timed(context, 'content', () => resolvePage(sent, context));
  return timed(context, 'analysis', async () => {
    const analysis = stored ?? (await analyzePage(page, ruleset));
    const kinds = kindsToSimulate(analysis);
    if (kinds.length === 0) return { analysis, simulation: {} };
    const task = { page, ruleset, kinds, siteName: context.installation.name };
    return { analysis, simulation: await engineThreads().run('simulate', task) };
  });
}

/** Returns the stored analysis of the object if it is current and the request contains nothing else. */
async function findStored(
  context: RequestContext,
  page: SeoAnalysisInput,
  { key, ruleset }: { key: RecordKey; ruleset: Ruleset },
): Promise<AnalysisOfPage | null> {
  const { object: _, locale: _locale, ...said } = page;
  if (Object.values(said).some((value) => value !== undefined)) return null;
  const owned = await loadObject(context, key.object, { details: true });
  const [text, record] = await timed(context, 'content', () =>
    Promise.all([
      requireTextVersion(context, { object: key.object, owned }, key.locale),
      findRecord(context, key),
    ]),
  );
  return findCurrentSnapshot(context, record, { ...text, ruleset });
}
