import type { PlanNode } from '@graphql-hive/router-query-planner';
import { GraphQLError } from 'graphql';
import { compileBatchFetch, compileFlatten } from './compileEntityFetch.ts';
import { compileNestedRoot } from './compileNestedRoot.ts';
import type { PlanCompilation } from './compileRequest.ts';
import { compileRootFetch } from './compileRootFetch.ts';
import type { ExecutionState, PlanStep } from './ExecutionState.ts';

/**
 * Compiles a query plan to closures. Everything that is known before a request (documents, paths, representations,
 * merges) is computed once.
 *
 * @throws GraphQLError `UNSUPPORTED_QUERY_PLAN` for unknown nodes
 */
export function compilePlan(node: PlanNode, compilation: PlanCompilation): PlanStep {
  switch (node.kind) {
    case 'Sequence':
      return sequence(node.nodes.map((child) => compilePlan(child, compilation)));
    case 'Parallel':
      return parallel(node.nodes.map((child) => compilePlan(child, compilation)));
    case 'Condition': {
      const { condition } = node;
      const whenTrue = node.ifClause == null ? null : compilePlan(node.ifClause, compilation);
      const whenFalse = node.elseClause == null ? null : compilePlan(node.elseClause, compilation);
      return (state) => (state.variables[condition] === true ? whenTrue : whenFalse)?.(state);
    }
    case 'Fetch':
      return compileRootFetch(node, compilation);
    case 'Flatten': {
      const { path, node: fetch } = node;
      if (fetch.kind !== 'Fetch') throw unsupported(`flattens a ${fetch.kind}`);
      const isEntityFetch = fetch.requires != null && fetch.requires.length > 0;
      return isEntityFetch
        ? compileFlatten(path, fetch, compilation)
        : compileNestedRoot(path, fetch, compilation);
    }
    case 'BatchFetch':
      return compileBatchFetch(node, compilation);
    default:
      throw unsupported(`has a ${node.kind} node`);
  }
}

function unsupported(what: string): GraphQLError {
  return new GraphQLError(`The query plan ${what}, which is not supported here.`, {
    extensions: { code: 'UNSUPPORTED_QUERY_PLAN' },
  });
}

export function sequence(steps: readonly PlanStep[]): PlanStep {
  const runFrom = (start: number, state: ExecutionState): Promise<void> | undefined => {
    for (let i = start; i < steps.length; i++) {
      const waiting = steps[i]?.(state);
      if (waiting !== undefined) return waiting.then(() => runFrom(i + 1, state));
    }
    return undefined;
  };
  return (state) => runFrom(0, state);
}

function parallel(steps: readonly PlanStep[]): PlanStep {
  return (state) => {
    let waiting: Promise<void>[] | null = null;
    for (const step of steps) {
      const pending = step(state);
      if (pending !== undefined) (waiting ??= []).push(pending);
    }
    return waiting === null ? undefined : settle(waiting);
  };
}

async function settle(waiting: readonly Promise<void>[]): Promise<void> {
  await Promise.all(waiting);
}
