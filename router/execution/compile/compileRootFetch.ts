import type { FetchNode } from '@graphql-hive/router-query-planner';
import type { SubgraphResult } from '../../transport/Transport.ts';
import { compileMerge } from './compileMerge.ts';
import { type CompiledRequest, compileRequest, type PlanCompilation, whenSettled } from './compileRequest.ts';
import { compileRewrites, renamedKeys } from './compileRewrites.ts';
import { type ExecutionState, isObject, type PlanStep } from './ExecutionState.ts';
import { toClientError } from './subgraphErrors.ts';

/** Compiles a fetch of root fields. Its response becomes the data, or is merged into it. */
export function compileRootFetch(node: FetchNode, compilation: PlanCompilation): PlanStep {
  const request = compileRequest(node, compilation);
  const accept = compileAcceptRoot(node, request, compilation);
  return (state) => {
    const result = request.send(request.pickVariables(state.variables), state.context);
    return whenSettled(result, (settled) => accept(state, settled)) as Promise<void> | undefined;
  };
}

/** Merges the response of a root fetch, or an event of a subscription, into the state. */
export function compileAcceptRoot(
  node: FetchNode,
  request: CompiledRequest,
  compilation: PlanCompilation,
): (state: ExecutionState, result: SubgraphResult) => void {
  const renamed = renamedKeys(node.outputRewrites);
  const rewrite = compileRewrites(node.outputRewrites, compilation.conditions);
  const { merge } = compileMerge(request.document, null, renamed, compilation.conditions);
  return (state, result) => {
    if (result.errors !== undefined && result.errors.length > 0) addErrors(state, result, request, renamed);
    const { data } = result;
    if (!isObject(data)) return;
    rewrite?.(data);
    if (state.data === null) state.data = data;
    else merge(state.data, data, 'take');
  };
}

function addErrors(
  state: ExecutionState,
  result: SubgraphResult,
  request: CompiledRequest,
  renamed: ReadonlyMap<string, string>,
): void {
  const rootPaths = request.rootNames.map((name) => [name]);
  if (!isObject(result.data)) state.failedPaths.push(...rootPaths);
  for (const error of result.errors ?? []) {
    const { path } = error;
    if (path === undefined || path.length === 0) {
      state.failedPaths.push(...rootPaths);
      state.errors.push(toClientError(error, rootPaths[0]));
      continue;
    }
    const clientPath = path.map((segment) =>
      typeof segment === 'string' ? (renamed.get(segment) ?? segment) : segment,
    );
    state.errors.push(toClientError(error, clientPath));
  }
}
