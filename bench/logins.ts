import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Program, startProgram } from '../test/support/startProgram.ts';

/**
 * `node bench/logins.ts`: what 64 people who sign in at once cost somebody who is signed in already. Rounds without and
 * with sign-ins take turns, so that what the machine does besides hits both; the goal is a ratio of one run.
 */

const password = 'bench-password-1';
const people = ['admin', 'dealer', 'buyer', 'editor', 'translator'].map((name) => `${name}@demo.example`);
const atOnce = 64;
const rounds = 6;
const roundMs = 5000;
/** A reader asks again this long after his last answer: he is measured, not the queue that he would make. */
const thinkMs = 4;
const goal = 3;
/** Sign-ins that a busy machine refused (503) instead of letting them wait for longer than anybody listens. */
let refused = 0;

const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-logins-'));
const product = await startProgram('product', 'start/main.ts', {
  DATA_DIR: dataDir,
  DEMO_PASSWORD: password,
  PORT: '0',
  MONGODB_URI: '',
  RATE_LIMITS: 'off',
});
const readers = new Pool(product.url, { connections: 1 });
const newcomers = new Pool(product.url, { connections: atOnce });

try {
  await run(product);
} finally {
  await Promise.all([readers.close(), newcomers.close()]);
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function run({ url }: Program): Promise<void> {
  const authorization = `Bearer ${await signIn(0)}`;
  await measure(authorization, roundMs);
  const idle: number[] = [];
  const busy: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await measure(authorization, roundMs)));
    const crowd = startCrowd();
    // The crowd is measured when it is there.
    await pause(500);
    busy.push(...(await measure(authorization, roundMs)));
    seconds.push(...(await crowd.end()));
  }
  const ratio = percentile(busy, 0.99) / percentile(idle, 0.99);
  console.log(`GET /api/v1/me at ${url}, alone and beside ${atOnce} sign-ins at once`);
  console.log(`  alone            ${describe(idle)}`);
  console.log(`  beside sign-ins  ${describe(busy)}`);
  console.log(`  sign-ins         ${describe(seconds)}, ${refused} refused`);
  console.log(`  p99              ${ratio.toFixed(2)}x (goal at most ${goal}x)`);
}

/** Times of `/me` in milliseconds, asked one after the other. */
async function measure(authorization: string, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const begun = performance.now();
    const { statusCode, body } = await readers.request({
      method: 'GET',
      path: '/api/v1/me',
      headers: { authorization },
    });
    await body.dump();
    times.push(performance.now() - begun);
    if (statusCode !== 200) throw new Error(`/me answered ${statusCode}`);
    await pause(thinkMs);
  }
  return times;
}

/** People who sign in again and again until they are told to stop; answers how long each sign-in took. */
function startCrowd(): { end(): Promise<number[]> } {
  const over = new AbortController();
  const times: number[] = [];
  const person = async (index: number): Promise<void> => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      const token = await signIn(index);
      if (token !== null) times.push(performance.now() - begun);
      else refused += 1;
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, (_, index) => person(index)));
  return {
    async end() {
      over.abort();
      await all;
      return times;
    },
  };
}

async function signIn(index: number): Promise<string | null> {
  const username = people[index % people.length] ?? '';
  const { statusCode, body } = await newcomers.request({
    method: 'POST',
    path: '/api/v1/auth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', username, password }),
  });
  const answer = (await body.json()) as { access_token: string };
  if (statusCode === 503) return null;
  if (statusCode !== 200) throw new Error(`a sign-in answered ${statusCode}: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function describe(times: readonly number[]): string {
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
  return `median ${median} ms, p99 ${high} ms of ${times.length}`;
}
