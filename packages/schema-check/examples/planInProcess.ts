import { QueryPlanner } from '@graphql-hive/router-query-planner';
import type { PlannedOperation, PlanOperations } from '../src/documents/planOperations.ts';

/**
 * Returns a planner that runs in this process and caches its results, for tests with many similar contracts. A planner that
 * panics ends the process, which is why the check itself uses a separate process.
 */
export function createPlanInProcess(): PlanOperations {
  const planners = new Map<string, (operation: PlannedOperation) => string | null>();
  return (supergraphSdl, operations) => {
    const plan = planners.get(supergraphSdl) ?? createPlanner(supergraphSdl);
    planners.set(supergraphSdl, plan);
    return operations.flatMap((operation) => {
      const reason = plan(operation);
      return reason === null ? [] : [{ operation, reason }];
    });
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
    const reason = reasonOf(() => planner.plan(text, name, new Set(), 50));
    reasons.set(key, reason);
    return reason;
  };
}

function reasonOf(plan: () => unknown): string | null {
  try {
    plan();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
