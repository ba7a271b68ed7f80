import type { Resolvers } from '../../../schema/seo.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { isId } from '../../platform/ids/newId.ts';
import { findPage } from '../../platform/pagination/findPage.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { toLower, toUpper } from '../object/enumCase.ts';
import { toObjectType } from '../object/ObjectRef.ts';
import { findSnapshot } from '../snapshot/snapshots.ts';
import { cancelSeoAudit } from './cancelSeoAudit.ts';
import { countOpen, findCounts, findNextItemIds, type ItemCounts } from './countItems.ts';
import { dealtWith, findItem, findItems, isStale } from './items.ts';
import { assertInitiator, findJob, jobsOf, loadOwnJob } from './jobs.ts';
import { expiryOf } from './lifetimes.ts';
import {
  AuditItemModel,
  AuditJobModel,
  batchLimit,
  type StoredAuditItem,
  type StoredAuditJob,
} from './model.ts';
import { reasonTexts } from './reasons.ts';
import { retrySeoAudit } from './retrySeoAudit.ts';
import { runSeoAuditBatch } from './runSeoAuditBatch.ts';
import { settleAuditJobs } from './settleAuditJobs.ts';
import { startSeoAudit } from './startSeoAudit.ts';
import { findSummary } from './summarizeJobs.ts';

/** A job; with what was counted, where it was counted at a certain moment. */
export type SeoAuditJobParent = StoredAuditJob & { itemCounts?: ItemCounts; nextIds?: string[] };

/** An item as it is stored. */
export type SeoAuditItemParent = StoredAuditItem;

/** A job, and which page of its results. */
export interface SeoAuditReportParent {
  job: StoredAuditJob;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

const resolvers: Resolvers = {
  Query: {
    seoAuditJob: (_, { jobId }, context) => loadOwnJob(context, jobId),
    seoAuditJobs: (_, { state, first, after }, context) =>
      findPage({
        context,
        collection: jobsOf(context),
        filter: { initiatorId: context.viewer.id, ...(state && { state: { $in: state.map(toLower) } }) },
        sort: [{ key: 'createdAt', direction: -1 }],
        first,
        after,
      }),
    seoAuditItems: async (_, { jobId, state, ...page }, context) =>
      findItems(context, await loadOwnJob(context, jobId), { ...page, states: state?.map(toLower) }),
    seoAuditReport: async (_, { jobId, ...page }, context) => ({
      job: await loadOwnJob(context, jobId),
      ...page,
    }),
  },
  Mutation: {
    startSeoAudit: (_, { input }, context) => startSeoAudit(context, input),
    runSeoAuditBatch: (_, { input }, context) => runSeoAuditBatch(context, input),
    retrySeoAudit: (_, { input }, context) => retrySeoAudit(context, input),
    cancelSeoAudit: (_, { input }, context) => cancelSeoAudit(context, input),
  },
  SeoAuditJob: {
    __resolveReference: ({ id }, context) => findReachableJob(context, id),
    id: ({ _id }) => _id,
    state: ({ state }) => toUpper(state),
    initiator: ({ initiatorId }) => (isId('user', initiatorId) ? { id: initiatorId } : null),
    counts: async (job, _, context) => ({ total: job.total, ...(await countsOf(context, job)) }),
    progress: async (job, _, context) => (job.total - countOpen(await countsOf(context, job))) / job.total,
    batchLimit: () => batchLimit,
    nextItemIds: (job, _, context) => job.nextIds ?? findNextItemIds(context, job),
    summary: (job, _, context) => findSummary(context, job),
    expiresAt: (job) => expiryOf(job),
    items: (job, { states, ...page }, context) =>
      findItems(context, job, { ...page, states: states?.map(toLower) }),
  },
  SeoAuditReport: {
    items: ({ job, first, after }, _, context) =>
      findItems(context, job, { states: dealtWith, first, after }),
  },
  SeoAuditItem: {
    __resolveReference: ({ id }, context) => findReachableItem(context, id),
    id: ({ _id }) => _id,
    position: ({ seq }) => seq,
    objectType: ({ objectType }) => toObjectType(objectType),
    state: ({ state }) => toUpper(state),
    reason: ({ reason }) => reason && { code: reason, params: {}, text: reasonTexts[reason] },
    snapshot: ({ snapshotId }, _, context) => (snapshotId ? findSnapshot(context, snapshotId) : null),
    rating: ({ rating }) => rating && toUpper(rating),
    contentVersionAtStart: ({ contentVersionAtStart }) => toText(contentVersionAtStart),
    contentVersionAnalysed: ({ contentVersionAnalysed }) => toText(contentVersionAnalysed),
    stale: (item, _, context) => isStale(context, item),
    leaseExpiresAt: ({ leaseUntil }) => leaseUntil,
  },
};

function countsOf(context: RequestContext, { _id, itemCounts }: SeoAuditJobParent): Promise<ItemCounts> {
  return itemCounts ? Promise.resolve(itemCounts) : findCounts(context, _id);
}

/** A job that another subgraph names. */
async function findReachableJob(context: RequestContext, id: string): Promise<StoredAuditJob | null> {
  const job = await findJob(context, id);
  if (job) assertInitiator(context, job);
  return job;
}

/** An item that another subgraph names; its job decides who reads it. */
async function findReachableItem(context: RequestContext, id: string): Promise<StoredAuditItem | null> {
  const item = await findItem(context, id);
  if (item) await loadOwnJob(context, item.jobId);
  return item;
}

function toText(version: number | null): string | null {
  return version === null ? null : String(version);
}

/** Audit jobs and their items. */
export const auditJob: Resource = {
  resolvers,
  models: [AuditJobModel, AuditItemModel],
  jobs: [settleAuditJobs],
};
