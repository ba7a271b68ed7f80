import { QueryPlanner } from '@graphql-hive/router-query-planner';
import {
  type Composed,
  composeSupergraph,
} from '../../packages/schema-check/src/compose/composeSupergraph.ts';
import type { PlannedOperation } from '../../packages/schema-check/src/documents/planOperations.ts';
import type { CheckTools } from '../../schema/check/checkContract.ts';

/**
 * Composes and plans in this process, and caches the results, for tests with many similar contracts. A planner that panics
 * ends the process, which is why the check itself uses a separate process.
 */
export function sharedTools(): Required<Pick<CheckTools, 'compose' | 'plan'>> {
  const compositions = new Map<string, Composed | Error>();
  const planners = new Map<string, (operation: PlannedOperation) => string | null>();
  return {
    compose(subgraphs) {
      const key = JSON.stringify(subgraphs);
      const known = compositions.get(key) ?? attempt(() => composeSupergraph(subgraphs));
      compositions.set(key, known);
      if (known instanceof Error) throw known;
      return known;
    },
    plan(supergraphSdl, operations) {
      const plan = planners.get(supergraphSdl) ?? createPlanner(supergraphSdl);
      planners.set(supergraphSdl, plan);
      return operations.flatMap((operation) => {
        const reason = plan(operation);
        return reason === null ? [] : [{ operation, reason }];
      });
    },
  };
}

/** Returns the reason why an operation has no plan, or null if it has one. */
function createPlanner(supergraphSdl: string): (operation: PlannedOperation) => string | null {
  const planner = new QueryPlanner(supergraphSdl);
  const reasons = new Map<string, string | null>();
  return ({ text, name }) => {
    const key = `${name} ${text}`;
    const known = reasons.get(key);
    if (known !== undefined) return known;
    const found = attempt(() => planner.plan(text, name, new Set(), 50));
    const reason = found instanceof Error ? found.message : null;
    reasons.set(key, reason);
    return reason;
  };
}

function attempt<Value>(action: () => Value): Value | Error {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
