import type { QueryPlan } from '@graphql-hive/router-query-planner';
import { GraphQLError } from 'graphql';

/** Creates plans for one supergraph. */
export interface Planner {
  /**
   * Returns the plan of a document with one operation.
   *
   * @throws Error with the reason; `PlannerUnavailable` if the plan is missing and this machine cannot create it
   */
  plan(text: string): Promise<QueryPlan>;
  close(): void;
}

/** The operation has no stored plan, and the planner has no binary for this machine or is turned off. */
export class PlannerUnavailable extends GraphQLError {
  constructor() {
    super('The operation has no stored plan, and this machine has no planner.', {
      extensions: { code: 'PLANNER_UNAVAILABLE' },
    });
  }
}

/** Creates no plans: for products that only execute prepared plans. */
export const noPlanner: Planner = {
  plan: () => Promise.reject(new PlannerUnavailable()),
  close: () => undefined,
};
