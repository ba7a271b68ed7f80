import type { FlattenNodePathSegment } from '@graphql-hive/router-query-planner';
import { isObject, type ResponseObject, type ResponsePath } from './ExecutionState.ts';
import type { TypeConditions } from './TypeConditions.ts';

/** Position of a fetch's entities in the data. */
export interface EntityPath {
  /** Appends every object at the path to `into`; nulls and objects of other types are skipped. */
  readonly collect: (data: unknown, into: ResponseObject[]) => void;
  /** The path for messages, `@` for any index, type conditions left out. */
  readonly pattern: ResponsePath;
}

export function compileEntityPath(
  path: readonly FlattenNodePathSegment[],
  conditions: TypeConditions,
): EntityPath {
  let collect: EntityPath['collect'] = collectHere;
  // The root object has the root type; its `__typename` is never fetched.
  const belowRoot = path.findIndex((segment) => segment === '@' || 'Field' in segment);
  for (const segment of path.slice(belowRoot).reverse())
    collect = compileSegment(segment, collect, conditions);
  const pattern = path.flatMap((segment) => {
    if (segment === '@') return ['@'];
    return 'Field' in segment ? [segment.Field] : [];
  });
  return { collect, pattern };
}

function collectHere(value: unknown, into: ResponseObject[]): void {
  if (Array.isArray(value)) for (const item of value) collectHere(item, into);
  else if (isObject(value)) into.push(value);
}

function compileSegment(
  segment: FlattenNodePathSegment,
  next: EntityPath['collect'],
  conditions: TypeConditions,
): EntityPath['collect'] {
  if (segment === '@') {
    return (value, into) => {
      if (Array.isArray(value)) for (const item of value) next(item, into);
      else next(value, into);
    };
  }
  // The planner also writes one `@` for a list of lists, hence the recursion into arrays.
  if ('Field' in segment) {
    const name = segment.Field;
    const step: EntityPath['collect'] = (value, into) => {
      if (Array.isArray(value)) for (const item of value) step(item, into);
      else if (isObject(value)) next(value[name], into);
    };
    return step;
  }
  const names = new Set<unknown>(segment.TypeCondition.flatMap((name) => [...conditions.namesWithin(name)]));
  const step: EntityPath['collect'] = (value, into) => {
    if (Array.isArray(value)) {
      for (const item of value) step(item, into);
    } else if (isObject(value)) {
      // The planner fetches `__typename` for every abstract type; without it the condition always holds.
      const name = value.__typename;
      if (name === undefined || names.has(name)) next(value, into);
    }
  };
  return step;
}

/**
 * Adds the concrete paths of objects for a pattern to `into`, for errors. Only failed requests need it. One object can
 * occur at several places (the same entity in a list).
 */
export function locateEntities(
  data: ResponseObject | null,
  pattern: ResponsePath,
  into: Map<object, ResponsePath[]>,
): void {
  const walk = (value: unknown, index: number, path: ResponsePath): void => {
    if (Array.isArray(value)) {
      const next = pattern[index] === '@' ? index + 1 : index;
      value.forEach((item, position) => walk(item, next, [...path, position]));
      return;
    }
    if (!isObject(value)) return;
    if (index >= pattern.length) {
      const known = into.get(value);
      if (known === undefined) into.set(value, [path]);
      else known.push(path);
      return;
    }
    const segment = pattern[index] as string;
    if (segment === '@') walk(value, index + 1, path);
    else walk(value[segment], index + 1, [...path, segment]);
  };
  walk(data, 0, []);
}
