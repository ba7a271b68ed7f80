import { runProgram } from '../support/stack/runProgram.ts';
import { corpus, digestCorpus } from './corpus.ts';

/** Digests of the corpus that another process computes, in both orders. */
async function inProcess(order: string, environment: Record<string, string>): Promise<string[][]> {
  const { code, stdout, stderr } = await runProgram('test/determinism/printDigests.ts', [order], environment);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  return JSON.parse(stdout);
}

test('an analysis is identical in every run, order, process, time zone and locale', async () => {
  const here = digestCorpus();
  expect(here).toHaveLength(corpus.size);
  expect(new Set(here.map((line) => line.slice(-64))).size).toBe(corpus.size);
  expect(digestCorpus({ reversed: true })).toEqual(here);
  const first = await inProcess('forward', { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' });
  const second = await inProcess('reversed', {
    TZ: 'Asia/Tokyo',
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
  });
  expect([...first, ...second]).toEqual([here, here, here, here]);
});
