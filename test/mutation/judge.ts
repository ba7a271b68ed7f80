import type { Mutant } from './listMutants.ts';
import { openTestProcess, type TestProcess } from './openTestProcess.ts';
import type { Answer } from './testProcess.ts';

/** Result of the tests for a mutant. */
export type Verdict = 'survived' | 'killed' | 'timeout';

/** A mutant and its outcome. */
export interface Judged {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
}

/** Mutants between two runs of the unchanged product. */
const batchSize = 12;

/**
 * Runs the tests on each mutant. They run in a process that stays open, which costs a fraction of a start. Two rules keep
 * the results correct. A surviving mutant, and a change that cannot be applied to a running process, is tested again in a
 * separate process. If the unchanged product fails after a batch, all mutants of the batch are.
 */
export async function* judge(mutants: readonly Mutant[], tests: readonly string[]): AsyncGenerator<Judged> {
  let open = await openShared(tests);
  try {
    for (let start = 0; start < mutants.length; start += batchSize) {
      const batch = mutants.slice(start, start + batchSize);
      const answers: (Answer | null)[] = [];
      for (const change of batch) {
        const answer = await open.shared.ask({ tests, change }, open.limitMs);
        answers.push(answer);
        if (answer !== null) continue;
        open.shared.close();
        open = await openShared(tests);
      }
      const isIntact = (await open.shared.ask({ tests }, open.limitMs)) === 'passed';
      for (const [index, mutant] of batch.entries()) {
        const isKilled = isIntact && answers[index] === 'failed';
        yield { mutant, verdict: isKilled ? 'killed' : await judgeAlone(mutant, tests, open.limitMs) };
      }
      if (isIntact) continue;
      open.shared.close();
      open = await openShared(tests);
    }
  } finally {
    open.shared.close();
  }
}

/** @throws Error if the tests fail without a mutant */
async function openShared(tests: readonly string[]): Promise<{ shared: TestProcess; limitMs: number }> {
  const startedAt = performance.now();
  const shared = openTestProcess();
  const answer = await shared.ask({ tests }, 300_000);
  if (answer === 'passed') return { shared, limitMs: 10_000 + 4 * (performance.now() - startedAt) };
  shared.close();
  throw new Error(`The tests fail without a mutant: ${tests.join(' ')}. Run them with npm test.`);
}

async function judgeAlone(mutant: Mutant, tests: readonly string[], limitMs: number): Promise<Verdict> {
  const alone = openTestProcess(mutant);
  const answer = await alone.ask({ tests }, limitMs);
  alone.close();
  if (answer === null) return 'timeout';
  return answer === 'passed' ? 'survived' : 'killed';
}
