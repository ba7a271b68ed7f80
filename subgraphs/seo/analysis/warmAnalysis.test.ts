import { jest } from '@jest/globals';
import type { Logger } from 'pino';
import { sharedPool } from './sharedPool.ts';
import { warmAnalysis } from './warmAnalysis.ts';

const debug = jest.fn();
const log = { debug } as unknown as Logger;

afterEach(() => debug.mockClear());

test('a start has a page analysed on a thread, so that the first caller finds it there', async () => {
  const run = jest.spyOn(sharedPool(), 'run');
  try {
    await warmAnalysis({ log });
    expect(run).toHaveBeenCalledTimes(1);
    const outcome: any = await run.mock.results[0]?.value;
    // Every group has a check that had something to judge: what none of them touches stays cold.
    const groups = new Set(
      outcome.analysis.checks.flatMap(({ applicable, group }: any) => (applicable ? [group] : [])),
    );
    expect([...groups].sort()).toEqual([
      'content',
      'keyphrase',
      'links',
      'readability',
      'snippet',
      'technical',
    ]);
    expect(debug).not.toHaveBeenCalled();
  } finally {
    run.mockRestore();
  }
});

test('a start goes on where nothing can be warmed up', async () => {
  const run = jest.spyOn(sharedPool(), 'run').mockRejectedValue(new Error('no thread'));
  try {
    await expect(warmAnalysis({ log })).resolves.toBeUndefined();
    expect(debug).toHaveBeenCalledTimes(1);
  } finally {
    run.mockRestore();
  }
});
