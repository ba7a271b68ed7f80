import { Schema } from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { scoped } from '../installation/scoped.ts';
import { defineModel } from '../mongo/defineModel.ts';
import { dueBatchJob, dueJob } from './dueJob.ts';
import type { Job, JobRun } from './Job.ts';

interface Task {
  _id: string;
  installationId: string;
  kind: string;
  dueAt: Date | null;
  steps: number;
}

const TaskModel = defineModel<Task>(
  'due_tasks',
  new Schema<Task>({ _id: String, kind: String, dueAt: Date, steps: Number }),
);

const { market, stack } = product();
const retryMs = 60_000;
const named = { name: 'test.due', everyMs: 1000, model: TaskModel, due: 'dueAt', batchSize: 2 } as const;
let kind: string;

beforeEach(() => {
  kind = unique('kind');
});

const tasks = () => scoped(TaskModel, market.installation.id);
const stored = () => tasks().find({ kind }, { sort: { _id: 1 } });

/** Stores a task for each number of milliseconds from now, or for null, in the order of their ids. */
async function store(...fromNow: (number | null)[]): Promise<Task[]> {
  const now = stack.platform.now();
  for (const [index, ms] of fromNow.entries()) {
    const dueAt = ms === null ? null : new Date(now + ms);
    await tasks().insert({ _id: `${kind}-${index}`, kind, dueAt, steps: 0 });
  }
  return stored();
}

const finish = ({ _id }: Task) =>
  tasks().findOneAndUpdate({ _id }, { $set: { dueAt: null }, $inc: { steps: 1 } });

/** Runs a job once. Returns what it has logged. */
async function run(job: Job, changes: Partial<JobRun> = {}): Promise<object[]> {
  const logged: object[] = [];
  const log = { error: (entry: object) => logged.push(entry) };
  const platform = { ...stack.platform, log } as unknown as JobRun['platform'];
  const { signal } = new AbortController();
  await job.run({ platform, fence: 1, signal, assertHeld: async () => undefined, ...changes });
  return logged;
}

test('a job processes each due record once, in the order of the due dates, and no other record', async () => {
  await store(-1000, -3000, -2000, 60_000, null);
  const worked: string[] = [];
  const job = dueJob({
    ...named,
    retryMs,
    filter: { kind },
    work: (scope, task) => {
      worked.push(`${scope.installationId} ${task._id}`);
      return finish(task);
    },
  });
  await run(job);
  const inOrder = [1, 2, 0].map((index) => `${market.installation.id} ${kind}-${index}`);
  expect(worked).toEqual(inOrder);
  expect((await stored()).map(({ steps }) => steps)).toEqual([1, 1, 1, 0, 0]);
});

test('a job with `afterMs` processes a record that long after its date', async () => {
  await store(-1000, -3000);
  await run(dueJob({ ...named, retryMs, filter: { kind }, afterMs: 2000, work: (_, task) => finish(task) }));
  expect((await stored()).map(({ steps }) => steps)).toEqual([0, 1]);
});

test('a record that fails or stays unchanged is retried later and delays no other, and a failure is logged', async () => {
  await store(-4000, -3000, -2000);
  const before = stack.platform.now();
  const job = dueJob({
    ...named,
    retryMs,
    filter: { kind },
    async work(_, task) {
      if (task._id.endsWith('0')) throw new Error('broken');
      if (task._id.endsWith('2')) await finish(task);
    },
  });
  const logged = await run(job);
  expect(logged).toEqual([{ err: new Error('broken'), job: named.name, record: `${kind}-0` }]);
  const [failed, left, done] = await stored();
  for (const task of [failed, left]) expect(task?.dueAt?.getTime()).toBeGreaterThanOrEqual(before + retryMs);
  expect(done).toMatchObject({ dueAt: null, steps: 1 });
});

test('a due date that is set while a record fails is kept', async () => {
  await store(-1000);
  const dueAt = new Date(stack.platform.now() - 10);
  let runs = 0;
  const job = dueJob({
    ...named,
    batchSize: 50,
    retryMs,
    filter: { kind },
    async work(_, { _id }) {
      runs += 1;
      await tasks().findOneAndUpdate({ _id }, { $set: { dueAt } });
      throw new Error('broken');
    },
  });
  await run(job);
  expect(await stored()).toMatchObject([{ dueAt }]);
  expect(runs).toBe(1);
});

test('a run that is aborted leaves its record due for the next run', async () => {
  const before = await store(-2000, -1000);
  const ending = new AbortController();
  const job = dueJob({
    ...named,
    retryMs,
    filter: { kind },
    async work() {
      ending.abort(new Error('This process is shutting down.'));
      throw new Error('broken');
    },
  });
  await expect(run(job, { signal: ending.signal })).rejects.toThrow('This process is shutting down.');
  expect(await stored()).toEqual(before);
});

test('a run that has lost its lease ends before the next record', async () => {
  await store(-2000, -1000);
  let asked = 0;
  const assertHeld = async (): Promise<void> => {
    asked += 1;
    // One check is for the batch, and one for its first record.
    if (asked > 2) throw new Error('lost');
  };
  const job = dueJob({ ...named, retryMs, filter: { kind }, work: (_, task) => finish(task) });
  // Other installations have no records of this kind, but are also checked once each.
  const platform = { ...stack.platform, installations: { all: [market.installation] } };
  await expect(run(job, { assertHeld, platform: platform as unknown as JobRun['platform'] })).rejects.toThrow(
    'lost',
  );
  expect((await stored()).map(({ steps }) => steps)).toEqual([1, 0]);
});

test('a batch job processes due records in batches until none is due', async () => {
  await store(-3000, -2000, -1000, 60_000);
  const sizes: number[] = [];
  const job = dueBatchJob({
    ...named,
    filter: { kind },
    async work({ session }, found) {
      sizes.push(found.length);
      const ids = found.map(({ _id }) => _id);
      await tasks().updateMany({ _id: { $in: ids } }, { $set: { dueAt: null } }, { session });
    },
  });
  await run(job);
  expect(sizes).toEqual([2, 1]);
  expect((await stored()).map(({ dueAt }) => dueAt === null)).toEqual([true, true, true, false]);
});

test('a batch that fails changes no record, and the run fails', async () => {
  const before = await store(-1000);
  const job = dueBatchJob({
    ...named,
    filter: { kind },
    async work({ session }) {
      await tasks().updateMany({ kind }, { $set: { dueAt: null } }, { session });
      throw new Error('broken');
    },
  });
  await expect(run(job)).rejects.toThrow('broken');
  expect(await stored()).toEqual(before);
});
