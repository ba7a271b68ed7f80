import fc from 'fast-check';
import { type ExecutionResult, execute, OperationTypeNode, parse, validate } from 'graphql';
import { compareAnswers } from '../../../test/support/execution/compareAnswers.ts';
import { openEngines } from '../../../test/support/execution/federationFixture.ts';
import { randomOperation } from '../../../test/support/execution/randomOperation.ts';
import { randomSplit } from '../../../test/support/execution/randomSplit.ts';
import { createSplit } from '../../../test/support/execution/splitFixture.ts';
import { IsolatedPlanner } from '../planner/IsolatedPlanner.ts';

/** Number of random graphs. They are the same in every run, unless `SPLITS=200` requests 200 new ones. */
const splits = Number(process.env.SPLITS ?? 3);
const operationsPerSplit = 40;

function isPlanFailure({ errors }: ExecutionResult): boolean {
  return errors?.[0]?.extensions.code === 'QUERY_PLAN_FAILED';
}

/** Maximum share of operations that the third-party planner cannot plan. They are refused, which is not a wrong answer. */
const mostRefused = 0.1;

test('a randomly split graph returns the answers of one schema over every transport', async () => {
  let compared = 0;
  let refused = 0;
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const next = (limit: number) => draw(fc.nat, { max: limit - 1 });
      const graph = createSplit(randomSplit(next));
      // In a separate process, because some valid operations crash the native planner.
      const opened = await openEngines(graph.federation, new IsolatedPlanner(graph.federation));
      try {
        for (let round = 0; round < operationsPerSplit; round++) {
          const { text, variables } = randomOperation(graph.monolith, OperationTypeNode.QUERY, next);
          const document = parse(text);
          if (validate(graph.monolith, document).length > 0) continue;
          const expected = await execute({ schema: graph.monolith, document, variableValues: variables });
          for (const { way, engine } of opened.engines) {
            const prepared = await engine.prepare(text);
            const actual = 'errors' in prepared ? prepared : await prepared.execute(variables, {});
            if ('errors' in prepared || isPlanFailure(actual)) {
              refused++;
              break;
            }
            const difference = compareAnswers(expected, actual);
            if (difference === null) continue;
            throw new Error(
              [
                `${way}: ${difference}`,
                text,
                JSON.stringify(variables),
                ...Object.entries(graph.subgraphs).flat(),
              ].join('\n'),
            );
          }
          compared++;
          if (expected.data && JSON.stringify(expected.data).length > 40) answered++;
        }
      } finally {
        for (const { engine } of opened.engines) engine.close();
        await opened.close();
      }
    }),
    { numRuns: splits, endOnFailure: true, ...(process.env.SPLITS ? {} : { seed: 20_261_122 }) },
  );
  expect(compared).toBeGreaterThan(splits * 5);
  expect(answered).toBeGreaterThan(splits * 2);
  expect(refused / compared).toBeLessThan(mostRefused);
}, 300_000);
