import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { Rating } from '../engine/contract.ts';
import { itemsOf } from './jobs.ts';
import type { StoredAuditJob } from './model.ts';

/** What a job found. */
export interface JobSummary {
  averageScore: number | null;
  ratings: Partial<Record<Rating, number>>;
  topIssues: { checkId: string; bad: number; ok: number }[];
}

const mostIssues = 20;

/** What a job found so far, from the results of its items; two commands for any number of jobs. Null without a result. */
export function findSummary(context: RequestContext, job: StoredAuditJob): Promise<JobSummary | null> {
  return context.loader(summaryByJob).load(job);
}

function summaryByJob(context: RequestContext): DataLoader<StoredAuditJob, JobSummary | null, string> {
  return new DataLoader((jobs) => summarize(context, jobs), { cacheKeyFn: ({ _id }) => _id });
}

interface RatingGroup {
  _id: { jobId: string; rating: Rating };
  count: number;
  scored: number;
  sum: number;
}

interface IssueGroup {
  _id: { jobId: string; checkId: string };
  bad: number;
  ok: number;
}

async function summarize(
  context: RequestContext,
  jobs: readonly StoredAuditJob[],
): Promise<(JobSummary | null)[]> {
  const match = { jobId: { $in: jobs.map(({ _id }) => _id) }, state: 'succeeded' as const };
  const [ratings, issues] = await Promise.all([
    itemsOf(context).aggregate<RatingGroup>(match, [
      {
        $group: {
          _id: { jobId: '$jobId', rating: '$rating' },
          count: { $sum: 1 },
          scored: { $sum: { $cond: [{ $eq: ['$score', null] }, 0, 1] } },
          sum: { $sum: '$score' },
        },
      },
    ]),
    itemsOf(context).aggregate<IssueGroup>(match, [
      { $project: { jobId: 1, issue: { $concatArrays: [marked('bad'), marked('ok')] } } },
      { $unwind: '$issue' },
      {
        $group: {
          _id: { jobId: '$jobId', checkId: '$issue.id' },
          bad: { $sum: { $cond: [{ $eq: ['$issue.rating', 'bad'] }, 1, 0] } },
          ok: { $sum: { $cond: [{ $eq: ['$issue.rating', 'ok'] }, 1, 0] } },
        },
      },
    ]),
  ]);
  const ratingsByJob = Map.groupBy(ratings, ({ _id }) => _id.jobId);
  const issuesByJob = Map.groupBy(issues, ({ _id }) => _id.jobId);
  return jobs.map(({ _id, checks }) => {
    const found = ratingsByJob.get(_id);
    return found ? { ...toScores(found), topIssues: toIssues(issuesByJob.get(_id) ?? [], checks) } : null;
  });
}

function marked(rating: 'bad' | 'ok'): object {
  return { $map: { input: `$issues.${rating}`, as: 'id', in: { id: '$$id', rating } } };
}

function toScores(groups: readonly RatingGroup[]): Omit<JobSummary, 'topIssues'> {
  const scored = groups.reduce((count, group) => count + group.scored, 0);
  const sum = groups.reduce((total, group) => total + group.sum, 0);
  return {
    averageScore: scored === 0 ? null : Math.round((10 * sum) / scored) / 10,
    ratings: Object.fromEntries(
      groups.map(({ _id, count }) => [_id.rating, count] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** The most frequent first; of equal ones in the order of their ids, so that the answer is always the same. */
function toIssues(groups: readonly IssueGroup[], checks: readonly string[] | null): JobSummary['topIssues'] {
  return groups
    .map(({ _id, bad, ok }) => ({ checkId: _id.checkId, bad, ok }))
    .filter(({ checkId }) => !checks || checks.includes(checkId))
    .sort((a, b) => b.bad - a.bad || b.ok - a.ok || (a.checkId < b.checkId ? -1 : 1))
    .slice(0, mostIssues);
}
