import { createPlanInProcess } from '../../packages/schema-check/examples/planInProcess.ts';
import {
  type Composed,
  composeSupergraph,
} from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import type { CheckTools } from '../../schema/check/checkContract.ts';

/** Composes and plans in this process, and caches the results, for tests with many similar contracts. */
export function sharedTools(): Required<Pick<CheckTools, 'compose' | 'plan'>> {
  const compositions = new Map<string, Composed | Error>();
  return {
    compose(subgraphs) {
      const key = JSON.stringify(subgraphs);
      const known = compositions.get(key) ?? attempt(() => composeSupergraph(subgraphs));
      compositions.set(key, known);
      if (known instanceof Error) throw known;
      return known;
    },
    plan: createPlanInProcess(),
  };
}

function attempt<Value>(action: () => Value): Value | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
