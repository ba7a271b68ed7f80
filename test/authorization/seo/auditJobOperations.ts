import type { AuditJobState } from '../../../subgraphs/seo/audit-job/model.ts';
import { namesOf } from '../Item.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import type { Rule } from '../rules.ts';
import { auditItemOf, closeAuditJobs, storeAuditJob } from '../storeAuditJob.ts';

const administers: Rule = { kind: 'holds any', permissions: ['seo:admin'] };
const jobs = namesOf('auditJob');

/** 404 outside the installation, 403 for another administrator. */
function binds({ item, who }: Cell): ReturnType<NonNullable<Case['meaning']>> {
  if (item?.where !== 'here') return { status: 404, code: 'not_found' };
  return who === 'administrator' ? null : { status: 403, code: 'ownership_required' };
}

/** A case for each job, read by its id. */
const reads = (): Case[] =>
  jobs.map((item) => ({
    item,
    meaning: binds,
    call: (cell) => {
      const jobId = cell.item?.id ?? '';
      return { variables: { jobId }, path: { jobId } };
    },
  }));

/** A case for each job, changed; whoever may do it has one in the right state. */
const changes = (state: AuditJobState, members: (jobId: string) => object = () => ({})): Case[] =>
  jobs.map((item) => ({
    item,
    meaning: binds,
    call: async (cell): Promise<Call> => {
      const { app, ids } = cell.world;
      const jobId = cell.isAnswered
        ? await storeAuditJob(app.stack.demo.id, ids[cell.who], state)
        : (cell.item?.id ?? '');
      const body = { jobId, ...members(jobId) };
      return { variables: { input: body }, body };
    },
  }));

/** Audit jobs. */
export const auditJobOperations: readonly Operation[] = [
  {
    field: 'Query.seoAuditJob',
    rule: administers,
    routes: { 'GET {rest_root}/seo-tools/v1/audit-job/{jobId}': 200 },
    selection: 'id counts { total }',
    cases: reads(),
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    field: 'Query.seoAuditJobs',
    rule: administers,
    routes: { 'GET {rest_root}/seo-tools/v1/audit-jobs': 200 },
    selection: 'nodes { id initiator { id } }',
    check: (data, { world, who }) => {
      const list: { initiator: { id: string } }[] = data.nodes ?? data.data;
      expect(list.every(({ initiator }) => initiator.id === world.ids[who])).toBe(true);
    },
  },
  {
    field: 'Query.seoAuditItems',
    rule: administers,
    routes: { 'GET {rest_root}/seo-tools/v1/audit-job/{jobId}/items': 200 },
    selection: 'nodes { id }',
    cases: reads(),
    check: (data) => expect(data.nodes ?? data.data).toHaveLength(1),
  },
  {
    field: 'Query.seoAuditReport',
    rule: administers,
    routes: { 'GET {rest_root}/seo-tools/v1/audit-job/{jobId}/report': 200 },
    selection: 'job { id summary { averageScore } } items { nodes { objectId } }',
    cases: reads(),
    check: (data, { item }) => expect(data.job.id).toBe(item?.id),
  },
  {
    field: 'Mutation.startSeoAudit',
    rule: administers,
    routes: { 'POST {rest_root}/seo-tools/v1/audit-job/start': 201 },
    selection: 'job { id initiator { id } }',
    cases: [
      {
        call: async ({ world: { app, items }, isAnswered }) => {
          if (isAnswered) await closeAuditJobs(app.stack.demo.id);
          const { id } = items.garage;
          return {
            variables: { input: { items: [{ type: 'LISTING', id }] } },
            body: { items: [{ type: 'listing', id }] },
          };
        },
      },
    ],
    check: (data, { world, who }) => expect(data.job.initiator.id).toBe(world.ids[who]),
  },
  {
    field: 'Mutation.cancelSeoAudit',
    rule: administers,
    routes: { 'POST {rest_root}/seo-tools/v1/audit-job/cancel': 200 },
    selection: 'job { state }',
    cases: changes('pending'),
    check: (data) => expect(String((data.job ?? data).state).toLowerCase()).toBe('cancelled'),
  },
  {
    field: 'Mutation.runSeoAuditBatch',
    rule: administers,
    routes: { 'POST {rest_root}/seo-tools/v1/audit-job/batch': 200 },
    selection: 'aiUsed processed { id }',
    cases: changes('pending', (jobId) => ({ itemIds: [auditItemOf(jobId)] })),
    check: (data) => expect([data.aiUsed, data.processed.length]).toEqual([false, 1]),
  },
  {
    field: 'Mutation.retrySeoAudit',
    rule: administers,
    routes: { 'POST {rest_root}/seo-tools/v1/audit-job/retry': 200 },
    selection: 'job { state }',
    cases: jobs.map((item) => ({
      item,
      meaning: binds,
      call: async (cell): Promise<Call> => {
        const { app, ids } = cell.world;
        if (cell.isAnswered) await closeAuditJobs(app.stack.demo.id);
        const jobId = cell.isAnswered
          ? await storeAuditJob(app.stack.demo.id, ids[cell.who], 'completed')
          : (cell.item?.id ?? '');
        const itemIds = [auditItemOf(jobId)];
        return {
          variables: { input: { jobId, itemIds, scope: 'ITEMS' } },
          body: { jobId, itemIds, scope: 'items' },
        };
      },
    })),
    check: (data) => expect(String((data.job ?? data).state).toLowerCase()).toBe('running'),
  },
];
