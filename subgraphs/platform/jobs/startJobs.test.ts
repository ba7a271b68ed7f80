import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { unique } from '../../../test/support/seed.ts';
import { countCommands } from '../mongo/countCommands.ts';
import { inTransaction } from '../mongo/inTransaction.ts';
import { ringForJobs } from './Bell.ts';
import type { Job, JobRun } from './Job.ts';
import { type RunningJobs, startJobs } from './startJobs.ts';
import { wakeJob } from './wakeJob.ts';

const program = fileURLToPath(new URL('./fixture/workUntilKilled.ts', import.meta.url));
const leaseMs = 600;

let stack: TestStack;
const running: RunningJobs[] = [];
const children: ChildProcessByStdio<null, Readable, null>[] = [];

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [] });
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.close()));
  for (const child of children.splice(0)) if (child.kill('SIGKILL')) await once(child, 'exit');
});
afterAll(() => stack.close());

/** A process in miniature: its own runner, on the same database. */
function start(job: Job, times: Parameters<typeof startJobs>[2] = {}): RunningJobs {
  const jobs = startJobs([job], stack.platform, { leaseMs, retryMs: 5, ...times });
  running.push(jobs);
  return jobs;
}

/** Runs that the test takes one after the other, as they begin. */
function createRuns() {
  const begun: JobRun[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    begin(run: JobRun): void {
      begun.push(run);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    async next(): Promise<JobRun> {
      while (begun.length === 0) await wake.promise;
      return begun.shift() as JobRun;
    },
    get waiting() {
      return begun.length;
    },
  };
}

async function startProcess(
  name: string,
  mode: 'working' | 'resting' = 'working',
): Promise<{
  child: ChildProcessByStdio<null, Readable, null>;
  /** The number behind the next line of this kind. */
  next(kind: string): Promise<number>;
}> {
  const { uri, database } = { uri: process.env.MONGODB_URI ?? '', database: mongoose.connection.name };
  const child = spawn(process.execPath, [program, uri, database, name, String(leaseMs), mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    async next(kind) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('The process has ended.');
        const [said, number] = value.split(' ');
        if (said === kind) return Number(number);
      }
    },
  };
}

/** The lease of a job as it is stored. */
async function leaseOf(name: string): Promise<{ holder: string | null; until: Date }> {
  const leases = mongoose.connection.collection<{ _id: string; holder: string | null; until: Date }>(
    'leases',
  );
  const lease = await leases.findOne({ _id: name });
  if (!lease) throw new Error(`Nobody ever held "${name}".`);
  return lease;
}

/** Zero where nobody ever held it. */
async function untilIn(name: string): Promise<number> {
  const { until } = await leaseOf(name).catch(() => ({ until: new Date(0) }));
  return until.getTime();
}

/** Ends a run when it is told to. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    signal.addEventListener('abort', () => done());
  });
}

test('of several processes only one runs a job at a time, and each holder has a higher fence', async () => {
  const name = unique('job');
  let atOnce = 0;
  let most = 0;
  const fences: number[] = [];
  const job = (done: () => void, left = { runs: 30 }): Job => ({
    name,
    everyMs: 1,
    async run({ fence }) {
      most = Math.max(most, (atOnce += 1));
      fences.push(fence);
      await mongoose.connection.db?.admin().ping();
      atOnce -= 1;
      left.runs -= 1;
      if (left.runs === 0) done();
    },
  });
  const holders = [0, 1, 2].map(() => {
    const worked = Promise.withResolvers<RunningJobs>();
    const jobs: RunningJobs = start(job(() => worked.resolve(jobs)));
    return worked.promise;
  });
  // Each holder leaves after some runs; the others must follow, one after the other.
  for (let rest = [...holders]; rest.length > 0; ) {
    const [left, leaving] = await Promise.race(rest.map(async (one) => [one, await one] as const));
    await leaving.close();
    rest = rest.filter((one) => one !== left);
  }
  expect(most).toBe(1);
  expect(new Set(fences).size).toBe(3);
  expect(fences).toEqual([...fences].sort((a, b) => a - b));
});

test('when the process that holds a job is killed, another one takes over with a higher fence', async () => {
  const name = unique('job');
  const victim = await startProcess(name);
  const fence = await victim.next('step');
  const runs = createRuns();
  start({ name, everyMs: 1, run: async (run) => runs.begin(run) });
  await victim.next('step');
  expect(runs.waiting).toBe(0);
  victim.child.kill('SIGKILL');
  expect((await runs.next()).fence).toBe(fence + 1);
});

test('a holder that slept past its lease is refused the next step', async () => {
  const name = unique('job');
  const sleeper = await startProcess(name);
  const fence = await sleeper.next('step');
  sleeper.child.kill('SIGSTOP');
  const runs = createRuns();
  start({ name, everyMs: 60_000, run: async (run) => runs.begin(run) });
  expect((await runs.next()).fence).toBe(fence + 1);
  sleeper.child.kill('SIGCONT');
  expect(await sleeper.next('refused')).toBe(fence);
});

test('a run whose lease was lost is aborted by itself, and may not go on', async () => {
  const name = unique('job');
  const runs = createRuns();
  start({
    name,
    everyMs: 60_000,
    async run(run) {
      runs.begin(run);
      await untilAborted(run.signal);
    },
  });
  const run = await runs.next();
  await run.assertHeld();
  await mongoose.connection
    .collection<{ _id: string }>('leases')
    .updateOne({ _id: name }, { $inc: { fence: 1 }, $set: { holder: 'somebody else' } });
  await untilAborted(run.signal);
  await expect(run.assertHeld()).rejects.toThrow(`The lease "${name}" is held by another process by now.`);
});

test('a held lease outlives its length while its holder works', async () => {
  const name = unique('job');
  const [first, second] = [createRuns(), createRuns()];
  const job = (runs: ReturnType<typeof createRuns>): Job => ({
    name,
    everyMs: 60_000,
    async run(run) {
      runs.begin(run);
      await untilAborted(run.signal);
    },
  });
  start(job(first));
  const { signal } = await first.next();
  start(job(second));
  const begun = (await leaseOf(name)).until.getTime();
  while ((await leaseOf(name)).until.getTime() < begun + 2 * leaseMs)
    await mongoose.connection.db?.admin().ping();
  expect([signal.aborted, second.waiting]).toEqual([false, 0]);
});

test('a job that fails goes on', async () => {
  const runs = createRuns();
  let left = 3;
  start({
    name: unique('job'),
    everyMs: 1,
    async run(run) {
      left -= 1;
      if (left >= 0) throw new Error('Not this time.');
      runs.begin(run);
    },
  });
  const { fence, signal } = await runs.next();
  expect([fence, signal.aborted]).toEqual([1, false]);
});

test('a job that has work starts at once, also when the work came while it ran', async () => {
  const name = unique('job');
  const runs = createRuns();
  let release = Promise.withResolvers<void>();
  start({
    name,
    everyMs: 3_600_000,
    async run(run) {
      runs.begin(run);
      await release.promise;
    },
  });
  await runs.next();
  wakeJob(stack.platform, name);
  release.resolve();
  release = Promise.withResolvers();
  await runs.next();
  release.resolve();
  wakeJob(stack.platform, name);
  await runs.next();
  expect(runs.waiting).toBe(0);
});

test('a run is told by which names it was woken, and the first one looks at everything', async () => {
  const [name, others] = [unique('job'), unique('work')];
  const runs = createRuns();
  start({ name, everyMs: 3_600_000, wokenBy: [others], run: async (run) => runs.begin(run) });
  expect((await runs.next()).wokenBy).toBeUndefined();
  wakeJob(stack.platform, others);
  expect((await runs.next()).wokenBy).toEqual(new Set([others]));
  wakeJob(stack.platform, name);
  expect((await runs.next()).wokenBy).toEqual(new Set([name]));
});

test('work that comes to one process wakes the job in the process that holds it', async () => {
  const name = unique('job');
  const holder = await startProcess(name, 'resting');
  const fence = await holder.next('held');
  const elsewhere = createRuns();
  start({ name, everyMs: 3_600_000, run: async (run) => elsewhere.begin(run) });
  const bell = ringForJobs([{ name }], stack.platform);
  // The holder hears nothing before its stream is open.
  const rung = holder.next('rung');
  const ringing = setInterval(() => wakeJob(stack.platform, name), 200);
  expect(await rung).toBe(fence);
  clearInterval(ringing);
  await bell.close();
  expect(elsewhere.waiting).toBe(0);
});

test('of wake-ups for later the earliest counts, once', async () => {
  const name = unique('job');
  const runs = createRuns();
  start({ name, everyMs: 3_600_000, run: async (run) => runs.begin(run) });
  await runs.next();
  wakeJob(stack.platform, name, { afterMs: 3_600_000 });
  wakeJob(stack.platform, name, { afterMs: 10 });
  wakeJob(stack.platform, name, { afterMs: 20 });
  await runs.next();
  const later = Promise.withResolvers<void>();
  setTimeout(later.resolve, 100);
  await later.promise;
  expect(runs.waiting).toBe(0);
});

test('first runs are spread as far as it is asked for, and closing waits for none of them', async () => {
  const begun: string[] = [];
  const names = [unique('first'), unique('second')];
  const jobs = names.map(
    (name): Job => ({ name, everyMs: 3_600_000, run: async () => void begun.push(name) }),
  );
  const spread = startJobs(jobs, stack.platform, { leaseMs, spreadMs: 3_600_000 });
  while (begun.length === 0) await pause(20);
  await pause(100);
  await spread.close();
  expect(begun).toEqual(names.slice(0, 1));
});

test('leases of any number are renewed by one command', async () => {
  const jobs = Array.from(
    { length: 12 },
    (): Job => ({
      name: unique('job'),
      everyMs: 3_600_000,
      run: async () => undefined,
    }),
  );
  const many = startJobs(jobs, stack.platform, { leaseMs });
  running.push(many);
  const untilOf = async () => Math.min(...(await Promise.all(jobs.map(({ name }) => untilIn(name)))));
  while ((await untilOf()) === 0) await pause(20);
  const taken = await untilOf();
  const { commands } = await countCommands(async () => {
    while ((await untilOf()) < taken + 2 * leaseMs) await pause(50);
  });
  const writes = commands.filter((command) => command === 'update leases');
  expect(writes.length).toBeGreaterThan(1);
  expect(writes.length).toBeLessThan(jobs.length);
});

test('work of a transaction wakes the job when the transaction has ended', async () => {
  const name = unique('job');
  const told: string[] = [];
  const stop = stack.platform.wakeUps.listen(name, () => told.push('woken'));
  await inTransaction(async (session) => {
    wakeJob(stack.platform, name, { session });
    await mongoose.connection.collection<{ _id: string }>('leases').findOne({ _id: name }, { session });
    told.push('written');
  });
  stop();
  wakeJob(stack.platform, name);
  expect(told).toEqual(['written', 'woken']);
});

test('at the end a run is told to stop and waited for, and the next holder need not wait', async () => {
  const name = unique('job');
  const runs = createRuns();
  const ended: string[] = [];
  const jobs = start(
    {
      name,
      everyMs: 60_000,
      async run(run) {
        runs.begin(run);
        await untilAborted(run.signal);
        await mongoose.connection.db?.admin().ping();
        ended.push('run');
      },
    },
    { leaseMs: 60_000 },
  );
  await runs.next();
  await jobs.close();
  expect(ended).toEqual(['run']);
  start({ name, everyMs: 60_000, run: async (run) => runs.begin(run) }, { leaseMs: 60_000 });
  expect((await runs.next()).fence).toBe(2);
});

test('a run that does not stop keeps nobody from ending, and nobody gets its lease meanwhile', async () => {
  const name = unique('job');
  const runs = createRuns();
  const held = Promise.withResolvers<void>();
  const jobs = start(
    {
      name,
      everyMs: 60_000,
      async run(run) {
        runs.begin(run);
        await held.promise;
      },
    },
    { closeMs: 20 },
  );
  await runs.next();
  await jobs.close();
  expect((await leaseOf(name)).holder).toEqual(expect.any(String));
  held.resolve();
});
