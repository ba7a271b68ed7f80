import type { Logger } from 'pino';
import type { Analysis } from '../../engine/contract.ts';
import { engineThreads } from './EngineThreads.ts';
import { warmAnalysis } from './warmAnalysis.ts';

const notes: unknown[] = [];
const log = { debug: (note: unknown) => void notes.push(note) } as unknown as Logger;
const threads = engineThreads();

afterEach(() => {
  jest.restoreAllMocks();
  notes.length = 0;
});

test('a start has a page analysed on a thread, so that the first caller finds it there', async () => {
  const run = jest.spyOn(threads, 'run');
  await warmAnalysis({ log });
  expect([run.mock.calls.length, notes]).toEqual([1, []]);
  const analysis = (await run.mock.results[0]?.value) as Analysis;
  // Every group has a check that had something to judge: what none of them touches stays cold.
  const groups = new Set(analysis.checks.flatMap(({ applicable, group }) => (applicable ? [group] : [])));
  expect(groups).toEqual(new Set(['content', 'keyphrase', 'links', 'readability', 'snippet', 'technical']));
});

test('a start goes on where nothing can be warmed up', async () => {
  jest.spyOn(threads, 'run').mockRejectedValue(new Error('no thread'));
  await expect(warmAnalysis({ log })).resolves.toBeUndefined();
  expect(notes).toHaveLength(1);
});
