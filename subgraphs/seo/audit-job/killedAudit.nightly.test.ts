import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { SnapshotModel } from '../snapshot/model.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

const program = fileURLToPath(new URL('./fixture/actUntilKilled.ts', import.meta.url));
const patienceMs = 120_000;
let audits: Audits;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  audits = await openAudits();
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-audit-'));
}, patienceMs);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await audits.stack.close();
  await rm(folder, { recursive: true, force: true });
}, patienceMs);

interface Step {
  name: string;
  selection: string;
  input: object;
}

/** Runs operations in a process of their own, which stops at the moment. */
function start(moment: string, ...steps: Step[]) {
  const { stack, boss } = audits;
  const child = spawn(
    process.execPath,
    [
      program,
      process.env.MONGODB_URI ?? '',
      mongoose.connection.name,
      folder,
      stack.demo.id,
      boss.token,
      moment,
      ...steps.map((step) => JSON.stringify(step)),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout }) };
}

/** Kills a process at the moment; fails if it never comes there. */
async function killAt(moment: string, step: Step): Promise<void> {
  const { child, lines } = start(moment, step);
  const exited = once(child, 'exit');
  for await (const line of lines) {
    if (line === moment) child.kill('SIGKILL');
    else throw new Error(`The process did not stop at "${moment}": ${line}`);
  }
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
}

/** Leases of processes that vanished end after a minute; nobody has to wait for it here. */
const endLeases = (jobId: string) =>
  audits.stored.updateMany({ jobId, state: 'processing' }, { $set: { leaseUntil: new Date(0) } });

async function drain(jobId: string) {
  for (;;) {
    const { nextItemIds } = (await audits.read(jobId)).data!.seoAuditJob;
    if (nextItemIds.length === 0) return (await audits.read(jobId)).data?.seoAuditJob;
    await audits.ran(jobId, nextItemIds);
  }
}

const snapshotsOf = (ids: string[]) =>
  scoped(SnapshotModel, audits.stack.demo.id).count({ objectId: { $in: ids } });
const many = (count: number) => Array.from({ length: count }, () => audits.put());
const batch = (jobId: string, itemIds?: string[]): Step => ({
  name: 'runSeoAuditBatch',
  selection: 'processed { id } job { state }',
  input: { jobId, ...(itemIds && { itemIds }) },
});

// Behind the claim, behind the analyses, behind their storage, and behind the mark in the records.
test.each(['claimed', 'computed', 'stored', 'analysed'])(
  'a batch that is killed when its items are %s loses and doubles nothing',
  async (moment) => {
    const objects = many(7);
    const job = await audits.startFresh(objects);
    await killAt(moment, batch(job.id, job.nextItemIds));
    expect((await audits.read(job.id)).data?.seoAuditJob.counts).toMatchObject({ processing: 5, queued: 2 });
    await endLeases(job.id);
    const end = await drain(job.id);
    expect(end).toMatchObject({ state: 'COMPLETED', counts: { total: 7, succeeded: 7 } });
    const { nodes } = (await audits.items(job.id)).data!.seoAuditItems;
    expect(nodes.map((item: { attempts: number }) => item.attempts)).toEqual([2, 2, 2, 2, 2, 1, 1]);
    expect(await snapshotsOf(objects.map(({ id }) => id))).toBe(7);
  },
  patienceMs,
);

test(
  'a batch that is killed before it closes the job leaves a job that closes by itself',
  async () => {
    const job = await audits.startFresh(many(3));
    await killAt('written', batch(job.id, job.nextItemIds));
    expect((await audits.read(job.id)).data?.seoAuditJob).toMatchObject({ state: 'RUNNING', progress: 1 });
    await audits.stack.runJob('seo.audit-jobs');
    expect((await audits.read(job.id)).data?.seoAuditJob.state).toBe('COMPLETED');
  },
  patienceMs,
);

test(
  'three batches that are killed with an item are its end, and not the end of the job',
  async () => {
    const job = await audits.startFresh(many(2));
    const [first] = job.nextItemIds;
    for (let round = 0; round < 3; round += 1) {
      await killAt('analysed', batch(job.id, [first]));
      await endLeases(job.id);
    }
    const end = await drain(job.id);
    expect(end).toMatchObject({ state: 'COMPLETED_WITH_ERRORS', counts: { failed: 1, succeeded: 1 } });
    expect(await audits.stored.findOne({ _id: first })).toMatchObject({
      reason: 'worker_lost',
      attempts: 3,
      retryable: true,
    });
  },
  patienceMs,
);

test(
  'a cancellation that is killed between the job and its items is completed by the next one',
  async () => {
    const job = await audits.startFresh(many(2));
    await killAt('job cancelled', {
      name: 'cancelSeoAudit',
      selection: 'job { state }',
      input: { jobId: job.id },
    });
    const { job: end } = (await audits.cancel({ jobId: job.id })).data!.cancelSeoAudit;
    expect(end).toMatchObject({ state: 'CANCELLED', counts: { cancelled: 2, queued: 0 } });
  },
  patienceMs,
);

test.each(['round begun', 'items queued'])(
  'a retry that is killed when its %s is taken along by the next one',
  async (moment) => {
    const job = await audits.startFresh(many(3));
    await audits.cancel({ jobId: job.id });
    const input = { jobId: job.id, scope: 'FAILED_AND_CANCELLED' };
    await killAt(moment, { name: 'retrySeoAudit', selection: 'job { state }', input });
    expect((await audits.read(job.id)).data?.seoAuditJob).toMatchObject({ state: 'CANCELLED', round: 2 });
    const again = (await audits.retry(input)).data?.retrySeoAudit.job;
    expect(again).toMatchObject({ state: 'RUNNING', round: 3, counts: { queued: 3 } });
    expect((await drain(job.id)).state).toBe('COMPLETED');
  },
  patienceMs,
);

test(
  'two processes that work on one job never work on one item both',
  async () => {
    const job = await audits.startFresh(many(60));
    const { child, lines } = start('never', batch(job.id));
    const byChild: string[] = [];
    lines.on('line', (line) => {
      if (line === 'done') return;
      const { data } = JSON.parse(line);
      byChild.push(...(data?.runSeoAuditBatch.processed ?? []).map(({ id }: { id: string }) => id));
    });
    const exited = once(child, 'exit');
    const byUs: string[] = [];
    for (;;) {
      const read = (await audits.read(job.id)).data?.seoAuditJob;
      if (read.progress === 1) break;
      const result = await audits.batch({ jobId: job.id, itemIds: read.nextItemIds.slice(0, 3) });
      byUs.push(...(result.data?.runSeoAuditBatch.processed ?? []).map(({ id }: { id: string }) => id));
      await pause(5);
    }
    await exited;
    expect(byUs.length + byChild.length).toBe(60);
    expect(new Set([...byUs, ...byChild]).size).toBe(60);
    expect(await audits.stored.count({ jobId: job.id, attempts: 1, state: 'succeeded' })).toBe(60);
    await audits.stack.runJob('seo.audit-jobs');
    expect((await audits.read(job.id)).data?.seoAuditJob.state).toBe('COMPLETED');
  },
  patienceMs,
);

test(
  'a job of 500 objects of which some are edited and deleted on the way ends with the right counts',
  async () => {
    const objects = many(500);
    const job = await audits.startFresh(objects);
    for (let count = 0; count < 20; count += 1) {
      const { nextItemIds } = (await audits.read(job.id)).data!.seoAuditJob;
      await audits.ran(job.id, nextItemIds);
    }
    for (const { id } of objects.slice(90, 130)) audits.neighbour.remove(id);
    for (const object of objects.slice(400, 450)) audits.put({ ...object, contentVersion: 2 });
    const end = await drain(job.id);
    expect(end).toMatchObject({
      state: 'COMPLETED',
      progress: 1,
      // Ten of the deleted ones had been analysed before.
      counts: { total: 500, succeeded: 470, skipped: 30, failed: 0, queued: 0, processing: 0, cancelled: 0 },
    });
    expect(await audits.stored.count({ jobId: job.id, reason: 'content_deleted' })).toBe(30);
    expect(await audits.stored.count({ jobId: job.id, contentVersionAnalysed: 2 })).toBe(50);
    const none = await audits.batch({ jobId: job.id, itemIds: [newId('auditItem')] });
    expect(none.errors).toHaveLength(1);
  },
  patienceMs,
);
