import { setTimeout as pause } from 'node:timers/promises';
import { EngineThreads, resultOf } from './EngineThreads.ts';
import { analyze } from './engineWorker.ts';

const sentence = 'The winter tyre is made for snow, and it was tested by many drivers in the north. ';
const largeText = `<h2>Winter tyres</h2><p>${sentence.repeat(3000)}</p>`;
const page = { page: { content: largeText, keyphrase: 'winter tyre', locale: 'en' } };
const small = { page: { content: `<p>${sentence}</p>`, keyphrase: 'winter tyre', locale: 'en' } };

const opened: EngineThreads[] = [];
function open(limits?: ConstructorParameters<typeof EngineThreads>[0]): EngineThreads {
  const threads = new EngineThreads(limits);
  opened.push(threads);
  return threads;
}
afterAll(() => Promise.all(opened.map((threads) => threads.close())));

test('a thread gives the same bytes as this process', async () => {
  const pool = open({ threads: 1 });
  expect(JSON.stringify(await pool.run('analyze', page))).toBe(JSON.stringify(resultOf(analyze(page))));
});

test('the event loop goes on while large texts are analysed', async () => {
  const pool = open({ threads: 1, runLimitMs: 15_000, waitLimitMs: 15_000 });
  await pool.run('analyze', small);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  const started = performance.now();
  await Promise.all([pool.run('analyze', page), pool.run('analyze', page), pool.run('analyze', page)]);
  const elapsedMs = performance.now() - started;
  clearInterval(timer);
  // On the event loop the three would leave three gaps and hardly a tick in between.
  expect(elapsedMs).toBeGreaterThan(40);
  expect(ticks).toBeGreaterThan(elapsedMs / 5 / 4);
});

test('an analysis that runs too long is ended and gives its place to the next one', async () => {
  const pool = open({ threads: 1, runLimitMs: 1 });
  const refusals = await Promise.allSettled([pool.run('analyze', page), pool.run('analyze', page)]);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ reason: { code: 'seo_analysis_timeout', status: 422 } });
  }
});

test('a task that would wait too long is rejected early, with a time for the next attempt', async () => {
  const pool = open({ threads: 1, queueLimit: 1, waitLimitMs: 1 });
  const outcomes = await Promise.allSettled([
    pool.run('analyze', page),
    pool.run('analyze', page),
    pool.run('analyze', page),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const outcome of outcomes.slice(1)) {
    expect(outcome).toMatchObject({ reason: { code: 'unavailable', details: { retryAfter: 1 } } });
  }
});

test('a limit that the engine finds on a thread is refused with its number', async () => {
  const pool = open({ threads: 1 });
  const run = pool.run('analyze', { page: { content: `<p>${'a '.repeat(60_001)}</p>` } });
  await expect(run).rejects.toMatchObject({
    code: 'payload_too_large',
    message: expect.stringContaining('60000'),
  });
});

test('a thread without work is ended, and the next text gets another one', async () => {
  const others = threadIds();
  const own = () => threadIds().filter((id) => !others.includes(id));
  const pool = open({ threads: 1, idleMs: 200 });
  await pool.run('analyze', small);
  const first = own();
  expect(first).toHaveLength(1);
  while (own().length > 0) await pause(100);
  await pool.run('analyze', small);
  expect(own()).not.toEqual(first);
});

/** Ids of the threads of this process; those of other tests may end at any time. */
function threadIds(): number[] {
  const { workers } = process.report.getReport() as { workers: { header: { threadId: number } }[] };
  return workers.map(({ header }) => header.threadId);
}
