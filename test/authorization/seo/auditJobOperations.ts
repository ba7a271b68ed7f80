import type { AuditJobState } from '../../../subgraphs/seo/audits/job/model.ts';
import { hasState, once, onEach, onFresh, reading, writing } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { namesOf } from '../world/Item.ts';
import { foreign, notFound } from '../world/meanings.ts';
import { auditItemOf, closeAuditJobs, storeAuditJob } from '../world/storeAuditJob.ts';

const administers = { rule: { kind: 'holds any', permissions: ['seo:admin'] } } as const;
const jobs = namesOf('auditJob');

/** 404 outside the installation, 403 for another administrator. */
const binds: NonNullable<Case['meaning']> = ({ item, who }) => {
  if (item?.where !== 'here') return notFound;
  return who === 'administrator' ? null : foreign;
};

/** A read of the initiator's job. */
const reads = { ...administers, cases: onEach(jobs, (jobId) => reading({ jobId }), { meaning: binds }) };

/** A change of the initiator's job. An allowed call uses a new job in the required state. */
const changes = (
  state: AuditJobState,
  members: (jobId: string) => object = () => ({}),
  inGraphql: object = {},
): Case[] =>
  onFresh(
    jobs,
    async ({ world: { app, ids }, who }) => {
      const { id } = app.stack.demo;
      await closeAuditJobs(id);
      return storeAuditJob(id, ids[who], state);
    },
    (jobId) => writing({}, { jobId, ...members(jobId) }, inGraphql),
    { meaning: binds },
  );

/** Audit jobs. */
export const auditJobOperations: readonly Operation[] = [
  {
    ...reads,
    field: 'Query.seoAuditJob',
    selection: 'id counts { total }',
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    ...administers,
    field: 'Query.seoAuditJobs',
    selection: 'nodes { id initiator { id } }',
    check: (data, { world, who }) => {
      const list: { initiator: { id: string } }[] = data.nodes ?? data.data;
      expect(list.every(({ initiator }) => initiator.id === world.ids[who])).toBe(true);
    },
  },
  {
    ...reads,
    field: 'Query.seoAuditItems',
    selection: 'nodes { id }',
    check: (data) => expect(data.nodes ?? data.data).toHaveLength(1),
  },
  {
    ...reads,
    field: 'Query.seoAuditReport',
    selection: 'job { id summary { averageScore } } items { nodes { objectId } }',
    check: (data, { item }) => expect(data.job.id).toBe(item?.id),
  },
  {
    ...administers,
    field: 'Mutation.startSeoAudit',
    selection: 'job { id initiator { id } }',
    cases: [
      once(async ({ world: { app, items }, isAnswered }) => {
        if (isAnswered) await closeAuditJobs(app.stack.demo.id);
        const { id } = items.garage;
        return writing({}, { items: [{ type: 'listing', id }] }, { items: [{ type: 'LISTING', id }] });
      }),
    ],
    check: (data, { world, who }) => expect(data.job.initiator.id).toBe(world.ids[who]),
  },
  {
    ...administers,
    field: 'Mutation.cancelSeoAudit',
    selection: 'job { state }',
    cases: changes('pending'),
    check: hasState('job', 'cancelled'),
  },
  {
    ...administers,
    field: 'Mutation.runSeoAuditBatch',
    selection: 'aiUsed processed { id }',
    cases: changes('pending', (jobId) => ({ itemIds: [auditItemOf(jobId)] })),
    check: (data) => expect([data.aiUsed, data.processed.length]).toEqual([false, 1]),
  },
  {
    ...administers,
    field: 'Mutation.retrySeoAudit',
    selection: 'job { state }',
    cases: changes('completed', (jobId) => ({ itemIds: [auditItemOf(jobId)], scope: 'items' }), {
      scope: 'ITEMS',
    }),
    check: hasState('job', 'running'),
  },
];
