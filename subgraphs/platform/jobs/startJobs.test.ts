import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { countCommands } from '../../../test/support/stack/countCommands.ts';
import type { Signals } from '../context/signals.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
import { forwardSignals } from './forwardSignals.ts';
import { type Job, type JobRun, subgraphOf } from './Job.ts';
import { type RunningJobs, retryPauseMs, startJobs } from './startJobs.ts';

const program = fileURLToPath(new URL('./fixture/workUntilKilled.ts', import.meta.url));
const leaseMs = 600;

const world = product();
const running: RunningJobs[] = [];
const children: ChildProcessByStdio<null, Readable, null>[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.close()));
  for (const child of children.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit');
});

const send: Signals['send'] = (...args) => world.stack.platform.signals.send(...args);

/** A job runner of its own on the same database, which stands for a process. */
function start(jobs: Job | readonly Job[], times: Parameters<typeof startJobs>[2] = {}): RunningJobs {
  const started = startJobs([jobs].flat(), world.stack.platform, { leaseMs, retryMs: 5, ...times });
  running.push(started);
  return started;
}

/** A job. The test receives its runs in the order in which they begin. */
function createJob(changes: Partial<Job> = {}) {
  const begun: JobRun[] = [];
  let started = Promise.withResolvers<void>();
  const job: Job = {
    name: `${unique('subgraph')}.job`,
    everyMs: 3_600_000,
    ...changes,
    async run(run) {
      begun.push(run);
      started.resolve();
      started = Promise.withResolvers();
      await changes.run?.(run);
    },
  };
  return {
    job,
    name: job.name,
    async next(): Promise<JobRun> {
      while (begun.length === 0) await started.promise;
      return begun.shift() as JobRun;
    },
    get waiting() {
      return begun.length;
    },
  };
}

/** A process. `next` returns the number in the next line of a kind. */
async function startProcess(name: string, mode: 'working' | 'resting' = 'working') {
  const args = [process.env.MONGODB_URI ?? '', mongoose.connection.name, name, String(leaseMs), mode];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    async next(kind: string): Promise<number> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('The process has ended.');
        const [said, number] = value.split(' ');
        if (said === kind) return Number(number);
      }
    },
  };
}

interface LeaseRecord {
  _id: string;
  holder: string | null;
  until: Date;
  signals: Record<string, number>;
}
const leases = () => mongoose.connection.collection<LeaseRecord>('leases');
const leaseOf = (job: string) => leases().findOne({ _id: subgraphOf(job) });
const holderOf = async (job: string) => (await leaseOf(job))?.holder;
/** Zero if the lease was never held. */
const untilIn = async (job: string) => (await leaseOf(job))?.until.getTime() ?? 0;
const ping = () => mongoose.connection.db?.admin().ping();

/** Ends when the run is aborted. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done());
  });
}

test('three processes never run a job concurrently, and each later holder has a higher fence', async () => {
  const name = `${unique('subgraph')}.job`;
  let running = 0;
  let most = 0;
  const fences: number[] = [];
  const job = (done: () => void, left = { runs: 30 }): Job => ({
    name,
    everyMs: 1,
    async run({ fence }) {
      most = Math.max(most, (running += 1));
      fences.push(fence);
      await ping();
      running -= 1;
      left.runs -= 1;
      if (left.runs === 0) done();
    },
  });
  const holders = [0, 1, 2].map(() => {
    const worked = Promise.withResolvers<RunningJobs>();
    const jobs: RunningJobs = start(job(() => worked.resolve(jobs)));
    return worked.promise;
  });
  // Each holder closes after some runs, so that another one takes over.
  for (let rest = [...holders]; rest.length > 0; ) {
    const [left, leaving] = await Promise.race(rest.map(async (one) => [one, await one] as const));
    await leaving.close();
    rest = rest.filter((one) => one !== left);
  }
  expect(most).toBe(1);
  expect(new Set(fences).size).toBe(3);
  expect(fences).toEqual([...fences].sort((a, b) => a - b));
});

test('after the process that holds a job is killed, another one takes over with a higher fence', async () => {
  const successor = createJob({ everyMs: 1 });
  const victim = await startProcess(successor.name);
  const fence = await victim.next('step');
  start(successor.job);
  await victim.next('step');
  expect(successor.waiting).toBe(0);
  victim.child.kill('SIGKILL');
  expect((await successor.next()).fence).toBe(fence + 1);
});

test('a process that was stopped for longer than its lease cannot continue its run', async () => {
  const successor = createJob();
  const sleeper = await startProcess(successor.name);
  const fence = await sleeper.next('step');
  sleeper.child.kill('SIGSTOP');
  start(successor.job);
  expect((await successor.next()).fence).toBe(fence + 1);
  sleeper.child.kill('SIGCONT');
  expect(await sleeper.next('refused')).toBe(fence);
});

test('a run that has lost its lease is aborted and cannot continue', async () => {
  const { job, name, next } = createJob({ run: ({ signal }) => untilAborted(signal) });
  start(job);
  const run = await next();
  await run.assertHeld();
  await leases().updateOne({ _id: subgraphOf(name) }, { $inc: { fence: 1 }, $set: { holder: 'another' } });
  await untilAborted(run.signal);
  await expect(run.assertHeld()).rejects.toThrow('is now held by another process.');
});

test('a lease is extended during a run', async () => {
  const first = createJob({ run: ({ signal }) => untilAborted(signal) });
  const second = createJob({ name: first.name });
  start(first.job);
  const { signal } = await first.next();
  start(second.job);
  const begun = await untilIn(first.name);
  while ((await untilIn(first.name)) < begun + 2 * leaseMs) await ping();
  expect([signal.aborted, second.waiting]).toEqual([false, 0]);
});

test('a job that fails runs again under the same lease', async () => {
  let failures = 3;
  const { job, next } = createJob({
    everyMs: 1,
    async run() {
      failures -= 1;
      if (failures >= 0) throw new Error('Not this time.');
    },
  });
  start(job);
  const { fence } = await next();
  for (let round = 0; round < 2; round += 1) await next();
  expect((await next()).fence).toBe(fence);
});

test('the pause after failed runs doubles up to five minutes', () => {
  const pauses = [1, 2, 3, 9, 10, 100].map((failures) => retryPauseMs(1000, failures));
  expect(pauses).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000]);
});

test('a signal starts a job immediately, or after the current run', async () => {
  let release = Promise.withResolvers<void>();
  const signaled = createJob({ run: () => release.promise });
  start(signaled.job);
  await signaled.next();
  send(signaled.name);
  release.resolve();
  release = Promise.withResolvers();
  await signaled.next();
  release.resolve();
  send(signaled.name);
  await signaled.next();
  expect(signaled.waiting).toBe(0);
});

test('a run receives the names of the signals that started it, and the first run receives none', async () => {
  const others = unique('work');
  const { job, name, next } = createJob({ signals: [others] });
  start(job);
  expect((await next()).signaledBy).toBeUndefined();
  for (const signal of [others, name]) {
    send(signal);
    expect((await next()).signaledBy).toEqual(new Set([signal]));
  }
});

test('a signal in one process starts the job in the process that holds the lease', async () => {
  const elsewhere = createJob();
  const { name } = elsewhere;
  const holder = await startProcess(name, 'resting');
  const fence = await holder.next('held');
  start(elsewhere.job);
  const stop = forwardSignals([{ name }], world.stack.platform);
  // The holder receives no signals before its change stream is open.
  const heard = holder.next('signaled');
  const sending = setInterval(() => send(name), 200);
  expect(await heard).toBe(fence);
  clearInterval(sending);
  stop();
  expect(elsewhere.waiting).toBe(0);
});

test('signals are forwarded to another process until the jobs close, and several of a moment as one', async () => {
  const _id = unique('subgraph');
  const { job, name } = createJob({ name: `${_id}.job` });
  // The lease of another process.
  const until = new Date(Date.now() + 3_600_000);
  await leases().insertOne({ _id, holder: 'another', until, signals: {} });
  const jobs = start(job);
  for (let count = 1; count <= 2; count += 1) {
    for (let time = 0; time < 3; time += 1) send(name);
    while ((await leaseOf(name))?.signals.job !== count) await ping();
  }
  await jobs.close();
  send(name);
  await pause(100);
  expect((await leaseOf(name))?.signals).toEqual({ job: 2 });
});

test('the earliest of several delayed signals starts the job, and the others do not', async () => {
  const delayed = createJob();
  start(delayed.job);
  await delayed.next();
  for (const afterMs of [3_600_000, 10, 20, 3_600_000]) send(delayed.name, { afterMs });
  await delayed.next();
  await pause(100);
  expect(delayed.waiting).toBe(0);
});

test('the first runs of jobs are spread over the stated time, and closing does not wait for them', async () => {
  const [first, second] = [createJob(), createJob()];
  const spread = start([first.job, second.job], { spreadMs: 3_600_000 });
  await first.next();
  await pause(100);
  await spread.close();
  expect(second.waiting).toBe(0);
});

test('all jobs of a subgraph run under one lease, which is released when they close', async () => {
  const [subgraph, other] = [unique('subgraph'), unique('subgraph')];
  const jobs = ['a', 'b', 'c'].map((name) => createJob({ name: `${subgraph}.${name}` }));
  const apart = createJob({ name: `${other}.a` });
  const { commands } = await countCommands(async () => {
    start(
      [...jobs, apart].map(({ job }) => job),
      { leaseMs: 60_000 },
    );
    const runs = await Promise.all(jobs.map(({ next }) => next()));
    expect(new Set(runs.map(({ fence }) => fence)).size).toBe(1);
    await apart.next();
  });
  expect(commands.filter((command) => command.endsWith(' leases'))).toHaveLength(4);
  expect(await Promise.all([subgraph, other].map(holderOf))).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
  await Promise.all(running.splice(0).map((started) => started.close()));
  expect(await Promise.all([subgraph, other].map(holderOf))).toEqual([null, null]);
});

test('a signal is sent at once, and one of a transaction after the transaction has ended', async () => {
  const name = unique('job');
  const seen: string[] = [];
  const stop = world.stack.platform.signals.listen(name, () => seen.push('signaled'));
  await inTransaction(async (session) => {
    send(name, { session });
    await leases().findOne({ _id: name }, { session });
    seen.push('written');
  });
  expect(seen).toEqual(['written', 'signaled']);
  send(name);
  expect(seen).toHaveLength(3);
  stop();
  send(name);
  expect(seen).toHaveLength(3);
});

test('closing aborts a run, waits for its end, and releases the lease', async () => {
  const ended: string[] = [];
  const first = createJob({
    async run({ signal }) {
      await untilAborted(signal);
      await ping();
      ended.push('run');
    },
  });
  const second = createJob({ name: first.name });
  const jobs = start(first.job, { leaseMs: 60_000 });
  const { fence } = await first.next();
  await jobs.close();
  expect(ended).toEqual(['run']);
  start(second.job, { leaseMs: 60_000 });
  expect((await second.next()).fence).toBe(fence + 1);
});

test('closing does not wait for a run that ignores the abort, and keeps its lease', async () => {
  const held = Promise.withResolvers<void>();
  const { job, name, next } = createJob({ run: () => held.promise });
  const jobs = start(job, { closeMs: 20 });
  await next();
  await jobs.close();
  expect(await holderOf(name)).toEqual(expect.any(String));
  held.resolve();
});
