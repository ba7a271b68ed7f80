import { QueryPlanner } from '@graphql-hive/router-query-planner';
import { overridePercentage } from '../../../router/execution/planner/overridePercentage.ts';
import type { Planner } from '../../../router/execution/planner/Planner.ts';

/**
 * Plans in this process, because a separate process for each small supergraph takes longer than the tests. A planner that
 * panics ends this process.
 */
export function planHere(supergraphSdl: string): Planner {
  const native = new QueryPlanner(supergraphSdl);
  return {
    plan: async (text) => native.plan(text, null, new Set(), overridePercentage),
    close: () => undefined,
  };
}
