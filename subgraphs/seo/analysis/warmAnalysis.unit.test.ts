import type { Logger } from 'pino';
import { sharedPool } from './sharedPool.ts';
import { warmAnalysis } from './warmAnalysis.ts';

const notes: unknown[] = [];
const log = { debug: (note: unknown) => void notes.push(note) } as unknown as Logger;
const pool = sharedPool();
const { run } = pool;

afterEach(() => {
  pool.run = run;
  notes.length = 0;
});

test('a start has a page analysed on a thread, so that the first caller finds it there', async () => {
  const outcomes: ReturnType<typeof run>[] = [];
  pool.run = (task, limits) => {
    const outcome = run(task, limits);
    outcomes.push(outcome);
    return outcome;
  };
  await warmAnalysis({ log });
  expect([outcomes.length, notes]).toEqual([1, []]);
  const outcome: any = await outcomes[0];
  // Every group has a check that had something to judge: what none of them touches stays cold.
  const groups = new Set(
    outcome.analysis.checks.flatMap(({ applicable, group }: any) => (applicable ? [group] : [])),
  );
  expect(groups).toEqual(new Set(['content', 'keyphrase', 'links', 'readability', 'snippet', 'technical']));
});

test('a start goes on where nothing can be warmed up', async () => {
  pool.run = () => Promise.reject(new Error('no thread'));
  await expect(warmAnalysis({ log })).resolves.toBeUndefined();
  expect(notes).toHaveLength(1);
});
