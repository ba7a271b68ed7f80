import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { findSnapshot } from '../../analysis/snapshot/snapshots.ts';
import { findReference } from '../../pages/object/loadObject.ts';
import type { Resolvers, SeoRating } from '../../seo.generated.ts';
import { assertInitiator, findJob, headsOf, loadOwnJob } from '../job/jobs.ts';
import { type AuditJobHead, AuditJobModel, batchLimit } from '../job/model.ts';
import { reasonTexts } from '../job/reasons.ts';
import { countOpen, expiryOf } from '../job/reduce.ts';
import { findSummary } from '../job/summarize.ts';
import { cancelSeoAudit } from './cancelSeoAudit.ts';
import { expireAuditJobs } from './expireAuditJobs.ts';
import { type AuditItemView, dealtWith, findItem, findItems, findNextItemIds, isStale } from './items.ts';
import { retrySeoAudit } from './retrySeoAudit.ts';
import { runSeoAuditBatch } from './runSeoAuditBatch.ts';
import { selectionProblems } from './selectionProblems.ts';
import { startSeoAudit } from './startSeoAudit.ts';

/** A job without its items; with the items of the next batch where they were read with it. */
export type SeoAuditJobParent = AuditJobHead & { nextIds?: string[] };

/** An item with its id. */
export type SeoAuditItemParent = AuditItemView;

/** A job, and which page of its results. */
export interface SeoAuditReportParent {
  job: AuditJobHead;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

const resolvers: Resolvers = {
  Query: {
    seoAuditJob: (_, { jobId }, context) => loadOwnJob(context, jobId),
    seoAuditJobs: (_, { state, first, after }, context) =>
      findPage({
        context,
        collection: headsOf(context),
        filter: { initiatorId: context.viewer.id, ...(state && { state: { $in: state } }) },
        sort: [{ key: 'createdAt', direction: -1 }],
        first,
        after,
      }),
    seoAuditItems: async (_, { jobId, state, ...page }, context) =>
      findItems(context, await loadOwnJob(context, jobId), { ...page, states: state }),
    seoAuditReport: async (_, { jobId, ...page }, context) => ({
      job: await loadOwnJob(context, jobId),
      ...page,
    }),
  },
  Mutation: {
    startSeoAudit: (_, { input }, context) => startSeoAudit(input, context),
    runSeoAuditBatch: (_, { input }, context) => runSeoAuditBatch(input, context),
    retrySeoAudit: (_, { input }, context) => retrySeoAudit(input, context),
    cancelSeoAudit: (_, { input }, context) => cancelSeoAudit(input, context),
  },
  SeoAuditJob: {
    __resolveReference: ({ id }, context) => findReachableJob(context, id),
    initiator: ({ initiatorId }) => (isId('user', initiatorId) ? { id: initiatorId } : null),
    selectionAsJson: ({ selection }) => selection,
    counts: ({ total, counts }) => ({ total, ...counts }),
    progress: ({ total, counts }) => (total - countOpen(counts)) / total,
    batchLimit: () => batchLimit,
    nextItemIds: (job, _, context) => job.nextIds ?? findNextItemIds(context, job),
    summary: (job, _, context) => findSummary(context, job),
    expiresAt: (job) => expiryOf(job),
    items: (job, { states, ...page }, context) => findItems(context, job, { ...page, states }),
  },
  SeoAuditSummary: {
    ratings: ({ ratings }) =>
      Object.entries(ratings).map(([rating, count]) => ({ rating: rating as SeoRating, count })),
    ratingsByName: ({ ratings }) => ratings,
  },
  SeoAuditRejection: { objectId: ({ id }) => id },
  SeoAuditReport: {
    items: ({ job, first, after }, _, context) =>
      findItems(context, job, { states: dealtWith, first, after }),
  },
  SeoAuditItem: {
    __resolveReference: ({ id }, context) => findReachableItem(context, id),
    object: ({ objectType, objectId }, _, context) =>
      findReference(context, { type: objectType, id: objectId }),
    reason: ({ reason }) => reason && { code: reason, params: {}, text: reasonTexts[reason] },
    snapshot: ({ snapshotId }, _, context) => (snapshotId ? findSnapshot(context, snapshotId) : null),
    contentVersionAtStart: ({ contentVersionAtStart }) => contentVersionAtStart?.toString() ?? null,
    contentVersionAnalysed: ({ contentVersionAnalysed }) => contentVersionAnalysed?.toString() ?? null,
    stale: (item, _, context) => isStale(context, item),
    leaseExpiresAt: ({ leaseUntil }) => leaseUntil ?? null,
  },
};

/** Returns a job that another subgraph refers to. */
async function findReachableJob(context: RequestContext, id: string): Promise<AuditJobHead | null> {
  const job = await findJob(context, id);
  if (job) assertInitiator(context, job);
  return job;
}

/** Returns an item that another subgraph refers to; access depends on its job. */
async function findReachableItem(context: RequestContext, id: string): Promise<AuditItemView | null> {
  const item = await findItem(context, id);
  if (item) await loadOwnJob(context, item.jobId);
  return item;
}

/** Audit jobs and their items. */
export const auditJob: Resource = {
  resolvers,
  inputRules: { startSeoAudit: selectionProblems },
  models: [AuditJobModel],
  jobs: [expireAuditJobs],
};
