import type { QueryPlanner } from '@graphql-hive/router-query-planner';
import { overridePercentage } from './overridePercentage.ts';

/**
 * Entry of the child process that plans operations (see IsolatedPlanner). The first message is the supergraph, every
 * later one an operation; each gets a reply, in order.
 */

export type PlannerRequest = { readonly supergraphSdl: string } | { readonly text: string };

export type PlannerReply =
  | { readonly plan: unknown }
  | { readonly ready: true }
  | { readonly error: string }
  /** No native planner is available for this machine. */
  | { readonly missing: true };

const native = await import('@graphql-hive/router-query-planner').catch(() => null);
let planner: QueryPlanner | null = null;

function reply(request: PlannerRequest): PlannerReply {
  if (native === null) return { missing: true };
  try {
    if ('supergraphSdl' in request) {
      planner = new native.QueryPlanner(request.supergraphSdl);
      return { ready: true };
    }
    if (planner === null) return { error: 'No supergraph is loaded yet.' };
    return { plan: planner.plan(request.text, null, new Set(), overridePercentage) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: PlannerRequest) => {
  process.send?.(reply(request));
});
process.on('disconnect', () => process.exit(0));
