import type { FetchNode, FlattenNodePathSegment } from '@graphql-hive/router-query-planner';
import type { SubgraphResult } from '../../transport/Transport.ts';
import { compileEntityPath, locateEntities } from './compileEntityPath.ts';
import { compileMerge } from './compileMerge.ts';
import { compileRequest, type PlanCompilation, whenSettled } from './compileRequest.ts';
import { compileRewrites, renamedKeys } from './compileRewrites.ts';
import {
  type ExecutionState,
  isObject,
  type PlanStep,
  type ResponseObject,
  type ResponsePath,
} from './ExecutionState.ts';
import { toClientError } from './subgraphErrors.ts';

/**
 * Compiles root fields below the root: members of a field of type `Query` (`mutation { add { query { me } } }`) of
 * another subgraph. They are fetched once, regardless of the number of objects at the path.
 */
export function compileNestedRoot(
  path: readonly FlattenNodePathSegment[],
  fetch: FetchNode,
  compilation: PlanCompilation,
): PlanStep {
  const { conditions } = compilation;
  const request = compileRequest(fetch, compilation);
  const { collect, pattern } = compileEntityPath(path, conditions);
  const renamed = renamedKeys(fetch.outputRewrites);
  const rewrite = compileRewrites(fetch.outputRewrites, conditions);
  const { merge, names } = compileMerge(request.document, null, renamed, conditions);

  const accept = (
    state: ExecutionState,
    targets: readonly ResponseObject[],
    result: SubgraphResult,
  ): void => {
    const locations = new Map<object, ResponsePath[]>();
    if (result.errors !== undefined && result.errors.length > 0)
      locateEntities(state.data, pattern, locations);
    const places = [...locations.values()].flat();
    for (const error of result.errors ?? []) {
      const isWhole = error.path === undefined || error.path.length === 0;
      if (isWhole) state.failedPaths.push(pattern);
      const tail = (isWhole ? names.slice(0, 1) : (error.path ?? [])).map((segment) =>
        typeof segment === 'string' ? (renamed.get(segment) ?? segment) : segment,
      );
      for (const place of isWhole ? places.slice(0, 1) : places) {
        state.errors.push(toClientError(error, [...place, ...tail]));
      }
    }
    if (!isObject(result.data)) return;
    rewrite?.(result.data);
    // The owner is last, because it modifies the value.
    for (let i = targets.length - 1; i >= 0; i--) {
      merge(targets[i] as ResponseObject, result.data, i === 0 ? 'take' : 'copy');
    }
  };

  return (state) => {
    const targets: ResponseObject[] = [];
    collect(state.data, targets);
    if (targets.length === 0) return undefined;
    const result = request.send(request.pickVariables(state.variables), state.context);
    return whenSettled(result, (settled) => accept(state, targets, settled)) as Promise<void> | undefined;
  };
}
