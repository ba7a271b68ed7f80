import type { FetchNodePathSegment, FetchRewrite } from '@graphql-hive/router-query-planner';
import { isObject, type ResponseObject } from './ExecutionState.ts';
import type { TypeConditions } from './TypeConditions.ts';

export type Rewrite = (value: unknown) => void;

type Step =
  | { readonly key: string; readonly names: null }
  | { readonly key: null; readonly names: ReadonlySet<string> };

/**
 * Compiles the rewrites of a plan to one function that changes a value in place. `ValueSetter` writes a constant (a
 * representation's `__typename` for a subgraph that knows only the interface). `KeyRenamer` renames fields that the
 * planner aliased because two types select different data under one name.
 */
export function compileRewrites(
  rewrites: readonly FetchRewrite[] | null | undefined,
  conditions: TypeConditions,
): Rewrite | null {
  if (rewrites == null || rewrites.length === 0) return null;
  const compiled = rewrites.map((rewrite) => compileRewrite(rewrite, conditions));
  return (value) => {
    for (const rewrite of compiled) rewrite(value);
  };
}

function compileRewrite(rewrite: FetchRewrite, conditions: TypeConditions): Rewrite {
  if ('KeyRenamer' in rewrite) {
    const { path, renameKeyTo } = rewrite.KeyRenamer;
    return along(path, conditions, (target, key) => {
      if (!Object.hasOwn(target, key) || target[key] === undefined) return;
      target[renameKeyTo] = target[key];
      // Set instead of deleted, because a deletion would convert the object to slow dictionary mode.
      target[key] = undefined;
    });
  }
  const { path, setValueTo } = 'ValueSetter' in rewrite ? rewrite.ValueSetter : rewrite;
  return along(path, conditions, (target, key) => {
    target[key] = setValueTo;
  });
}

function along(
  path: readonly FetchNodePathSegment[],
  conditions: TypeConditions,
  apply: (target: ResponseObject, key: string) => void,
): Rewrite {
  const steps = path.map((segment): Step => {
    if ('Key' in segment) return { key: segment.Key, names: null };
    const names = new Set(segment.TypenameEquals.flatMap((name) => [...conditions.namesWithin(name)]));
    return { key: null, names };
  });
  const last = steps.at(-1);
  if (last === undefined || last.key === null) throw new Error('A rewrite of the plan names no key.');
  const lastKey = last.key;

  const walk = (value: unknown, index: number): void => {
    if (Array.isArray(value)) {
      for (const item of value) walk(item, index);
      return;
    }
    if (!isObject(value)) return;
    const step = steps[index] as Step;
    if (step.key === null) {
      const name = value.__typename;
      if (name == null || step.names.has(name as string)) walk(value, index + 1);
    } else if (index === steps.length - 1) {
      apply(value, lastKey);
    } else {
      walk(value[step.key], index + 1);
    }
  };
  return (value) => walk(value, 0);
}

/** Returns the new keys by old key, to translate the paths of errors. */
export function renamedKeys(
  rewrites: readonly FetchRewrite[] | null | undefined,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const rewrite of rewrites ?? []) {
    if (!('KeyRenamer' in rewrite)) continue;
    const segment = rewrite.KeyRenamer.path.at(-1);
    if (segment !== undefined && 'Key' in segment) renamed.set(segment.Key, rewrite.KeyRenamer.renameKeyTo);
  }
  return renamed;
}
