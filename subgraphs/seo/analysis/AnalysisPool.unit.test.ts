import { setTimeout as pause } from 'node:timers/promises';
import { type AnalysisPool, openAnalysisPool } from './AnalysisPool.ts';
import { analyzeSafely } from './analyzeSafely.ts';

const sentence = 'The winter tyre is made for snow, and it was tested by many drivers in the north. ';
const largeText = `<h2>Winter tyres</h2><p>${sentence.repeat(3000)}</p>`;
const page = { page: { content: largeText, keyphrase: 'winter tyre', locale: 'en' } };
const small = { page: { content: `<p>${sentence}</p>`, keyphrase: 'winter tyre', locale: 'en' } };

const pools: AnalysisPool[] = [];
function open(options?: Parameters<typeof openAnalysisPool>[0]): AnalysisPool {
  const pool = openAnalysisPool(options);
  pools.push(pool);
  return pool;
}
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

test('a thread gives the same bytes as this process', async () => {
  const pool = open({ threads: 1 });
  expect(JSON.stringify(await pool.run(page))).toBe(JSON.stringify(analyzeSafely(page)));
});

test('the event loop goes on while large texts are analysed', async () => {
  const pool = open({ threads: 1, runLimitMs: 15_000, waitLimitMs: 15_000 });
  await pool.run(small);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  const started = performance.now();
  await Promise.all([pool.run(page), pool.run(page), pool.run(page)]);
  const elapsedMs = performance.now() - started;
  clearInterval(timer);
  // On the event loop the three would leave three gaps and hardly a tick in between.
  expect(elapsedMs).toBeGreaterThan(40);
  expect(ticks).toBeGreaterThan(elapsedMs / 5 / 4);
});

test('an analysis that runs too long is ended and gives its place to the next one', async () => {
  const pool = open({ threads: 1, runLimitMs: 1 });
  const refusals = await Promise.allSettled([pool.run(page), pool.run(page)]);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ reason: { code: 'seo_analysis_timeout', status: 422 } });
  }
});

test('who would wait too long is sent away early, with a time to come back', async () => {
  const pool = open({ threads: 1, queueLimit: 1, waitLimitMs: 1 });
  const outcomes = await Promise.allSettled([pool.run(page), pool.run(page), pool.run(page)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const outcome of outcomes.slice(1)) {
    expect(outcome).toMatchObject({ reason: { code: 'unavailable', details: { retryAfter: 1 } } });
  }
});

test('a limit that the engine finds comes back as data', async () => {
  const pool = open({ threads: 1 });
  const outcome = await pool.run({ page: { content: `<p>${'a '.repeat(60_001)}</p>` } });
  expect(outcome).toMatchObject({ exceeded: { code: 'payload_too_large', limit: 60_000 } });
});

test('a thread that nobody needs is ended, and the next text gets another one', async () => {
  const others = threads();
  const own = () => threads().filter((id) => !others.includes(id));
  const pool = open({ threads: 1, idleMs: 200 });
  await pool.run(small);
  const first = own();
  expect(first).toHaveLength(1);
  while (own().length > 0) await pause(100);
  await pool.run(small);
  expect(own()).not.toEqual(first);
});

/** Ids of the threads of this process; those of other tests may end at any time. */
function threads(): number[] {
  const { workers } = process.report.getReport() as { workers: { header: { threadId: number } }[] };
  return workers.map(({ header }) => header.threadId);
}
