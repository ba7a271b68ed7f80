import { createRequire } from 'node:module';
import type { QueryPlan, QueryPlanner } from '@graphql-hive/router-query-planner';
import { PlannerUnavailable } from './IsolatedPlanner.ts';
import { overridePercentage } from './overridePercentage.ts';

/** A plan that was made before, by the text of the document that is planned. */
export type FindPlan = (text: string) => QueryPlan | undefined;
/** Told of every plan that is used. */
export type NotePlan = (text: string, plan: QueryPlan) => void;

export interface PlannerOptions {
  readonly supergraphSdl: string;
  /** Plans that were made before. With them the native planner is loaded only when one is missing. */
  readonly findPlan?: FindPlan | undefined;
  readonly onPlan?: NotePlan | undefined;
  /** False: as if this machine had no native planner. Default true. */
  readonly nativePlanner?: boolean | undefined;
}

const require = createRequire(import.meta.url);

/**
 * Plans operations of our own in this process.
 *
 * @throws Error when the supergraph cannot be planned, or nothing can; the function that is returned throws
 * `PlannerUnavailable` when a plan is missing and there is no native planner
 */
export function openPlanner({
  supergraphSdl,
  findPlan,
  onPlan,
  nativePlanner = true,
}: PlannerOptions): (text: string) => QueryPlan {
  let native: QueryPlanner | undefined;
  const load = (): QueryPlanner => {
    if (!nativePlanner) throw new PlannerUnavailable();
    native ??= new (loadNative().QueryPlanner)(supergraphSdl);
    return native;
  };
  // Whether it can be planned at all is found out now, not by the first operation.
  if (findPlan === undefined) loadFirst(load);
  return (text) => {
    const plan = findPlan?.(text) ?? load().plan(text, null, new Set(), overridePercentage);
    onPlan?.(text, plan);
    return plan;
  };
}

/** For whoever starts it: a missing planner is no fault of an operation yet. */
function loadFirst(load: () => unknown): void {
  try {
    load();
  } catch (error) {
    if (!(error instanceof PlannerUnavailable)) throw error;
    throw new Error(
      'there is no planner for this machine and there are no plans of this supergraph: write them with "npm run plans" where there is one.',
      { cause: error },
    );
  }
}

/** Whether operations can be planned on this machine. */
export function hasPlanner(): boolean {
  try {
    loadNative();
    return true;
  } catch (error) {
    if (error instanceof PlannerUnavailable) return false;
    throw error;
  }
}

function loadNative(): { QueryPlanner: typeof QueryPlanner } {
  try {
    return require('@graphql-hive/router-query-planner') as { QueryPlanner: typeof QueryPlanner };
  } catch (error) {
    throw new PlannerUnavailable(error as Error);
  }
}
