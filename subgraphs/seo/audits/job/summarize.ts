import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import type { Rating } from '../../engine/contract.ts';
import { type AuditItem, type AuditJobHead, AuditJobModel } from './model.ts';

/** Results of a job, which `SeoAuditSummary` shows. */
export interface SeoAuditSummaryParent {
  averageScore: number | null;
  ratings: Partial<Record<Rating, number>>;
  topIssues: { checkId: string; bad: number; ok: number }[];
}

const mostIssues = 20;

/** Returns the results of jobs so far, from their items, with one command for any number of jobs. */
export async function findSummary(
  context: RequestContext,
  { _id, checks }: AuditJobHead,
): Promise<SeoAuditSummaryParent | null> {
  const job = await context.loader(resultsByJob).load(_id);
  return summarize(job?.items ?? [], checks);
}

type ItemResult = Pick<AuditItem, 'state' | 'score' | 'rating' | 'issues'>;

const ofResults = { 'items.state': 1, 'items.score': 1, 'items.rating': 1, 'items.issues': 1 } as const;

const resultsByJob = recordLoader(AuditJobModel, { projection: ofResults });

/**
 * Returns mean score, ratings and most frequent issues of the analyzed items; null if there are none.
 *
 * @param checks ids of the checks to count; null for all
 */
export function summarize(
  items: readonly ItemResult[],
  checks: readonly string[] | null,
): SeoAuditSummaryParent | null {
  const analysed = items.filter(({ state }) => state === 'succeeded');
  if (analysed.length === 0) return null;
  const scores = analysed.flatMap(({ score }) => score ?? []);
  const sum = scores.reduce((total, score) => total + score, 0);
  const ratings = Map.groupBy(analysed, ({ rating }) => rating);
  return {
    averageScore: scores.length === 0 ? null : Math.round((10 * sum) / scores.length) / 10,
    ratings: Object.fromEntries(
      [...ratings]
        .map(([rating, { length }]) => [rating, length] as const)
        .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    ),
    topIssues: countIssues(analysed)
      .filter(({ checkId }) => !checks || checks.includes(checkId))
      // In descending order of frequency, then by id, so that the result is deterministic.
      .sort((a, b) => b.bad - a.bad || b.ok - a.ok || (a.checkId < b.checkId ? -1 : 1))
      .slice(0, mostIssues),
  };
}

function countIssues(items: readonly ItemResult[]): SeoAuditSummaryParent['topIssues'] {
  const issues = new Map<string, { checkId: string; bad: number; ok: number }>();
  for (const item of items)
    for (const verdict of ['bad', 'ok'] as const)
      for (const checkId of item.issues?.[verdict] ?? []) {
        const issue = issues.get(checkId) ?? { checkId, bad: 0, ok: 0 };
        issue[verdict] += 1;
        issues.set(checkId, issue);
      }
  return [...issues.values()];
}
