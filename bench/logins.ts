import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Program } from '../test/support/startProgram.ts';
import { percentile } from './catalogue/times.ts';
import { describeMedian, readMe } from './readMe.ts';
import { withPrograms } from './withPrograms.ts';

/**
 * `node bench/logins.ts`: what 64 people who sign in at once cost somebody who is signed in already. Rounds without and
 * with sign-ins take turns, so that what the machine does besides hits both; the goal is a ratio of one run.
 */

const password = 'bench-password-1';
const people = ['admin', 'dealer', 'buyer', 'editor', 'translator'].map((name) => `${name}@demo.example`);
const atOnce = 64;
const rounds = 6;
const roundMs = 5000;
const goal = 3;
/** Sign-ins that a busy machine refused (503) instead of letting them wait for longer than anybody listens. */
let refused = 0;

await withPrograms('logins', async (start) => {
  const product = await start('product', 'start/main.ts', {
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    RATE_LIMITS: 'off',
  });
  const readers = new Pool(product.url, { connections: 1 });
  const newcomers = new Pool(product.url, { connections: atOnce });
  try {
    await run(product, { readers, newcomers });
  } finally {
    await Promise.all([readers.close(), newcomers.close()]);
  }
});

/** Connections of one run. */
interface Pools {
  readers: Pool;
  newcomers: Pool;
}

async function run({ url }: Program, { readers, newcomers }: Pools): Promise<void> {
  const authorization = `Bearer ${await signIn(newcomers, 0)}`;
  await readMe(readers, authorization, roundMs);
  const idle: number[] = [];
  const busy: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await readMe(readers, authorization, roundMs)));
    const crowd = startCrowd(newcomers);
    // The crowd is measured when it is there.
    await pause(500);
    busy.push(...(await readMe(readers, authorization, roundMs)));
    seconds.push(...(await crowd.end()));
  }
  const ratio = percentile(busy, 0.99) / percentile(idle, 0.99);
  console.log(`GET /api/v1/me at ${url}, alone and beside ${atOnce} sign-ins at once`);
  console.log(`  alone            ${describeMedian(idle)}`);
  console.log(`  beside sign-ins  ${describeMedian(busy)}`);
  console.log(`  sign-ins         ${describeMedian(seconds)}, ${refused} refused`);
  console.log(`  p99              ${ratio.toFixed(2)}x (goal at most ${goal}x)`);
}

/** People who sign in again and again until they are told to stop; answers how long each sign-in took. */
function startCrowd(newcomers: Pool): { end(): Promise<number[]> } {
  const over = new AbortController();
  const times: number[] = [];
  const person = async (index: number): Promise<void> => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      const token = await signIn(newcomers, index);
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

async function signIn(newcomers: Pool, index: number): Promise<string | null> {
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
