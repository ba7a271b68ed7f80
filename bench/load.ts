import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../test/support/stack/startProgram.ts';
import { benchmark, type Values } from './harness/benchmark.ts';
import { LightClient } from './harness/LightClient.ts';
import { limitCpu } from './harness/limitCpu.ts';
import { loadsOf } from './harness/loads.ts';
import { percentile, report } from './harness/report.ts';
import type { Load } from './harness/send.ts';
import { startApart } from './harness/startApart.ts';
import { residentMiB } from './harness/usage.ts';

/**
 * Measures response times under load: a thousand clients that wait for the start, very many concurrent requests, many
 * idle connections, four times the capacity, and a fifth of a processor; in one process, and with separate subgraphs.
 */

const settings = {
  cold: { usual: 1000, quick: 100, means: 'clients that wait for the start' },
  connections: { usual: 200, quick: 50, means: 'clients that ask at once' },
  seconds: { usual: 10, quick: 0.3, means: 'duration of a measurement' },
  overload: { usual: 60, quick: 0.3, means: 'seconds at four times the capacity' },
  warmUp: { usual: 6, quick: 0.2, means: 'seconds before the first one' },
  idle: { usual: 10_000, quick: 200, means: 'connections that only stand there' },
  modes: { usual: 'one,apart', quick: 'one', means: 'one process, subgraphs apart' },
  only: { usual: 'cold,crowd,idle,overload,quota', quick: 'cold,crowd,idle,overload,quota', means: 'parts' },
} as const;

type Chosen = Values<typeof settings>;

export default benchmark({
  measures: 'answers under many clients, idle connections, overload and a fifth of a processor, by HTTP',
  settings,
  async measure(chosen, { start, openMarketplace }) {
    const marketplace = await openMarketplace();
    const run = async (target: Program): Promise<void> => {
      const caller = marketplace.signIn('dealer', target);
      await caller.authorization();
      await reportParts(target, loadsOf(marketplace.listingId, caller), chosen);
    };
    if (chosen.modes.includes('one')) {
      console.log('\nin one process');
      // The product that created the data is warm.
      await run(await marketplace.restart());
    }
    if (chosen.modes.includes('apart')) {
      console.log('\nrouter and three subgraphs in processes of their own');
      await marketplace.stop();
      const { router } = await startApart(start, marketplace);
      await run(router);
    }
  },
});

async function reportParts(
  target: Program,
  { me, join }: ReturnType<typeof loadsOf>,
  chosen: Chosen,
): Promise<void> {
  const parts = chosen.only.split(',');
  if (parts.includes('cold')) await reportCold(target, me.rest, chosen);
  if (parts.includes('crowd')) {
    await reportCrowd(target, '/me', me.rest, chosen);
    await reportCrowd(target, 'join', join.adHoc, chosen);
  }
  if (parts.includes('idle')) await reportIdle(target, me.rest, chosen);
  if (parts.includes('overload')) await reportOverload(target, me.rest, chosen);
  if (parts.includes('quota')) await reportQuota(target, me.rest, chosen);
}

/** Results: durations in milliseconds of accepted requests, and the number of each status. */
interface Answers {
  times: number[];
  /** Durations without the delay of the client itself. */
  sentTimes: number[];
  statuses: Map<string, number>;
  seconds: number;
}

/** Runs as many clients as connections; each repeats its request after the response, or after `Retry-After`. */
async function askAtOnce(url: string, load: Load, connections: number, forMs: number): Promise<Answers> {
  const through = new LightClient(url);
  const answers: Answers = { times: [], sentTimes: [], statuses: new Map(), seconds: 0 };
  const begun = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - begun < forMs)
      if (await ask(through, load, answers, performance.now())) await pause(1000);
  };
  await Promise.all(Array.from({ length: connections }, client));
  answers.seconds = (performance.now() - begun) / 1000;
  through.close();
  return answers;
}

/**
 * Sends a fixed number of requests per second, regardless of the responses; the time of a response starts when its
 * request was due.
 */
async function askAtRate(
  url: string,
  load: Load,
  { perSecond, forMs, connections = 0 }: { perSecond: number; forMs: number; connections?: number },
): Promise<Answers> {
  const through = new LightClient(url);
  const answers: Answers = { times: [], sentTimes: [], statuses: new Map(), seconds: forMs / 1000 };
  const live: Load = { method: 'GET', path: '/health/live', headers: {} };
  await Promise.all(Array.from({ length: connections }, () => through.ask(live)));
  const begun = performance.now();
  const open: Promise<unknown>[] = [];
  while (performance.now() - begun < forMs) {
    const due = Math.floor(((performance.now() - begun) / 1000) * perSecond);
    while (open.length < due)
      open.push(ask(through, load, answers, begun + (open.length * 1000) / perSecond));
    await pause(1);
  }
  await Promise.all(open);
  through.close();
  return answers;
}

/** Sends a request and returns whether the response had `Retry-After`. */
async function ask(
  through: LightClient,
  load: Load,
  { times, sentTimes, statuses }: Answers,
  from: number,
): Promise<boolean> {
  const sent = performance.now();
  const { status, hasRetryAfter } = await through.ask(load);
  if (status === '200') {
    times.push(performance.now() - from);
    sentTimes.push(performance.now() - sent);
  }
  // Load shedding responds with 503 and `Retry-After`; any other refusal is a fault of the benchmark or of the product.
  if (Number(status) >= 400 && !hasRetryAfter)
    throw new Error(`${load.method} ${load.path} answered ${status} without Retry-After.`);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return hasRetryAfter;
}

/** Measures clients that wait for the process and all connect when it is ready. */
async function reportCold({ url }: Program, load: Load, { cold }: Chosen): Promise<void> {
  const through = new LightClient(url);
  const answers: Answers = { times: [], sentTimes: [], statuses: new Map(), seconds: 0 };
  const from = performance.now();
  const client = async (): Promise<void> => {
    while (await ask(through, load, answers, from)) await pause(1000);
  };
  await Promise.all(Array.from({ length: cold }, client));
  through.close();
  const [median, high] = [0.5, 0.99].map((part) => percentile(answers.times, part).toFixed(0));
  report(
    `${cold} who wait for the start`,
    `p50 ${median} ms, p99 ${high} ms from then until they had their answer, those ` +
      `included the rejected ones that retried (goal at most 5,000); ${describe(answers.statuses)}`,
  );
}

async function reportCrowd(
  { url }: Program,
  name: string,
  load: Load,
  { connections, seconds: forSeconds, warmUp }: Chosen,
): Promise<void> {
  await askAtOnce(url, load, connections, warmUp * 500);
  const { times, statuses, seconds } = await askAtOnce(url, load, connections, forSeconds * 1000);
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part)) as [number, number];
  report(
    `${connections} connections, ${name}`,
    `p50 ${median.toFixed(0)} ms, p99 ${high.toFixed(0)} ms, ` +
      `${(high / median).toFixed(2)} times it (goal at most 3); ${(times.length / seconds).toFixed(0)} requests/s; ${describe(statuses)}`,
  );
}

async function reportIdle({ url }: Program, load: Load, { idle, seconds, warmUp }: Chosen): Promise<void> {
  const { sockets, failed } = await holdConnections(Number(new URL(url).port), idle);
  const rate = { perSecond: 300, forMs: seconds * 1000 };
  await askAtRate(url, load, { ...rate, forMs: warmUp * 300 });
  const { times, statuses } = await askAtRate(url, load, rate);
  const held = sockets.filter((socket) => !socket.destroyed).length;
  for (const socket of sockets) socket.destroy();
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(0));
  report(
    `${held} idle connections (${failed} refused)`,
    `beside 300 requests/s: p50 ${median} ms, p99 ${high} ms (goal at most 250); ${describe(statuses)}`,
  );
}

/** Opens connections that ask once and then only wait. */
async function holdConnections(port: number, count: number): Promise<{ sockets: Socket[]; failed: number }> {
  const sockets: Socket[] = [];
  let failed = 0;
  const open = (): Promise<void> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
      });
      socket.once('data', () => {
        sockets.push(socket);
        done();
      });
      socket.once('error', () => {
        failed += 1;
        done();
      });
    });
  while (sockets.length + failed < count) await Promise.all(Array.from({ length: 100 }, open));
  return { sockets, failed };
}

async function reportOverload({ url, pid }: Program, load: Load, chosen: Chosen): Promise<void> {
  const { seconds: forSeconds, overload, warmUp } = chosen;
  await askAtOnce(url, load, 32, warmUp * 1000);
  const { times, seconds } = await askAtOnce(url, load, 32, forSeconds * 400);
  const capacity = times.length / seconds;
  // Opened in advance, as a reverse proxy keeps them.
  const rate = { perSecond: capacity * 4, forMs: overload * 1000, connections: 1000 };
  const { times: accepted, sentTimes, statuses } = await askAtRate(url, load, rate);
  const heldMiB = residentMiB(pid).toFixed(0);
  const after = await askAtOnce(url, load, 8, forSeconds * 200);
  const [median, high] = [0.5, 0.99].map((part) => percentile(accepted, part).toFixed(0));
  report(
    `four times the capacity of ${capacity.toFixed(0)} requests/s`,
    `accepted p50 ${median} ms, p99 ${high} ms ` +
      `(goal at most 1,500), ${percentile(sentTimes, 0.99).toFixed(0)} ms since they were sent; ${describe(statuses)}; ${heldMiB} MiB held (goal at most 700); afterwards p99 ${percentile(after.times, 0.99).toFixed(0)} ms, ` +
      describe(after.statuses),
  );
}

/** Measures the product with the quota of a container with 200 millicores. */
async function reportQuota(
  { url, pid }: Program,
  load: Load,
  { seconds: forSeconds, warmUp }: Chosen,
): Promise<void> {
  const release = limitCpu(pid, 0.2);
  if (release === null) return console.log('  a fifth of a processor: not permitted on this machine');
  await askAtOnce(url, load, 32, warmUp * 800);
  const { times, statuses, seconds } = await askAtOnce(url, load, 200, forSeconds * 1000);
  release();
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(0));
  report(
    'a fifth of a processor, 200 who ask',
    `p50 ${median} ms, p99 ${high} ms (goal at most 1,000); ` +
      `${(times.length / seconds).toFixed(0)} requests/s; ${describe(statuses)}`,
  );
}

function describe(statuses: ReadonlyMap<string, number>): string {
  return [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
}
