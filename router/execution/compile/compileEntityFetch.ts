import type {
  BatchFetchNode,
  EntityBatchAlias,
  FetchNode,
  FlattenNodePathSegment,
} from '@graphql-hive/router-query-planner';
import type { SubgraphError, SubgraphResult } from '../../transport/Transport.ts';
import { compileEntityPath, type EntityPath, locateEntities } from './compileEntityPath.ts';
import { type CompiledMerge, compileMerge } from './compileMerge.ts';
import { type CreateRepresentation, compileRepresentation, findSingleKey } from './compileRepresentation.ts';
import { type CompiledRequest, compileRequest, type PlanCompilation, whenSettled } from './compileRequest.ts';
import { compileRewrites, type Rewrite, renamedKeys } from './compileRewrites.ts';
import {
  type ExecutionState,
  isObject,
  type PlanStep,
  type ResponseObject,
  type ResponsePath,
} from './ExecutionState.ts';
import { toClientError } from './subgraphErrors.ts';

/** `_entities` field of a fetch. */
interface EntityField {
  readonly responseName: string;
  readonly variableName: string;
  readonly paths: readonly EntityPath[];
  readonly createRepresentation: CreateRepresentation;
  readonly singleKey: string | null;
  readonly rewriteInput: Rewrite | null;
  readonly rewriteOutput: Rewrite | null;
  readonly renamed: ReadonlyMap<string, string>;
  readonly selection: CompiledMerge;
}

/** Paths in the data that a representation is for. */
interface Slot {
  /** Objects at the first path of the entity; the response is merged into them without a copy. */
  readonly owners: ResponseObject[];
  /** Objects at other paths; they get copies. */
  readonly others: ResponseObject[];
  readonly pathIndex: number;
}

interface Gathered {
  readonly representations: ResponseObject[];
  readonly slots: Slot[];
  /** Entities without a representation, because an earlier fetch did not return the required fields. */
  readonly incomplete: ResponseObject[];
}

/** Loads more of entities at one path. */
export function compileFlatten(
  path: readonly FlattenNodePathSegment[],
  fetch: FetchNode,
  compilation: PlanCompilation,
): PlanStep {
  return compileEntityFetch(fetch, compilation, [
    {
      alias: '_entities',
      representationsVariableName: 'representations',
      paths: [[...path]],
      requires: fetch.requires ?? [],
      ...(fetch.inputRewrites == null ? {} : { inputRewrites: fetch.inputRewrites }),
      ...(fetch.outputRewrites == null ? {} : { outputRewrites: fetch.outputRewrites }),
    },
  ]);
}

/** Loads more of entities at several paths in one request, one aliased `_entities` field per group. */
export function compileBatchFetch(node: BatchFetchNode, compilation: PlanCompilation): PlanStep {
  return compileEntityFetch(node, compilation, node.entityBatch.aliases);
}

function compileEntityFetch(
  node: FetchNode | BatchFetchNode,
  compilation: PlanCompilation,
  aliases: readonly EntityBatchAlias[],
): PlanStep {
  const request = compileRequest(node, compilation);
  const fields = aliases.map((alias) => compileEntityField(alias, request, compilation));
  return (state) => {
    const variables: Record<string, unknown> = { ...request.pickVariables(state.variables) };
    const gathered: Gathered[] = [];
    let isEmpty = true;
    for (const field of fields) {
      const group = gather(field, state);
      variables[field.variableName] = group.representations;
      if (group.representations.length > 0) isEmpty = false;
      gathered.push(group);
      if (group.incomplete.length > 0) doubt(state, field, group, request.serviceName);
    }
    if (isEmpty) return undefined;
    const result = request.send(variables, state.context);
    return whenSettled(result, (settled) => accept(state, request, fields, gathered, settled)) as
      | Promise<void>
      | undefined;
  };
}

function compileEntityField(
  alias: EntityBatchAlias,
  request: CompiledRequest,
  { conditions }: PlanCompilation,
): EntityField {
  const renamed = renamedKeys(alias.outputRewrites);
  return {
    responseName: alias.alias,
    variableName: alias.representationsVariableName,
    paths: alias.paths.map((path) => compileEntityPath(path, conditions)),
    createRepresentation: compileRepresentation(alias.requires, conditions),
    singleKey: findSingleKey(alias.requires, conditions),
    rewriteInput: compileRewrites(alias.inputRewrites, conditions),
    rewriteOutput: compileRewrites(alias.outputRewrites, conditions),
    renamed,
    selection: compileMerge(request.document, alias.alias, renamed, conditions),
  };
}

/** Collects the entities, each of them once, regardless of the number of occurrences. */
function gather(field: EntityField, state: ExecutionState): Gathered {
  const gathered: Gathered = { representations: [], slots: [], incomplete: [] };
  const positions = new Map<unknown, number>();
  for (let pathIndex = 0; pathIndex < field.paths.length; pathIndex++) {
    const entities: ResponseObject[] = [];
    field.paths[pathIndex]?.collect(state.data, entities);
    for (const entity of entities) {
      const representation = field.createRepresentation(entity, state.variables);
      if (representation === null) continue;
      if (representation === 'incomplete') {
        gathered.incomplete.push(entity);
        continue;
      }
      field.rewriteInput?.(representation);
      const key = identify(representation, field.singleKey);
      const position = positions.get(key);
      if (position === undefined) {
        positions.set(key, gathered.representations.length);
        gathered.representations.push(representation);
        gathered.slots.push({ owners: [entity], others: [], pathIndex });
        continue;
      }
      const slot = gathered.slots[position] as Slot;
      if (slot.pathIndex === pathIndex) slot.owners.push(entity);
      else slot.others.push(entity);
    }
  }
  return gathered;
}

function identify(representation: ResponseObject, singleKey: string | null): unknown {
  if (singleKey === null) return JSON.stringify(representation);
  const value = representation[singleKey];
  return typeof value === 'string' || typeof value === 'number' ? value : representation;
}

function accept(
  state: ExecutionState,
  request: CompiledRequest,
  fields: readonly EntityField[],
  gathered: readonly Gathered[],
  result: SubgraphResult,
): void {
  if (result.errors !== undefined && result.errors.length > 0) {
    addErrors(state, fields, gathered, result);
  }
  const data = isObject(result.data) ? result.data : null;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as EntityField;
    const { slots } = gathered[i] as Gathered;
    const entities = data?.[field.responseName];
    if (Array.isArray(entities) && entities.length === slots.length) {
      mergeEntities(field, slots, entities);
    } else if (result.errors === undefined || result.errors.length === 0) {
      if (slots.length > 0) addErrors(state, fields, gathered, { errors: [malformed(request.serviceName)] });
    }
  }
}

function mergeEntities(field: EntityField, slots: readonly Slot[], entities: readonly unknown[]): void {
  for (let i = 0; i < slots.length; i++) {
    const entity = entities[i];
    if (!isObject(entity)) continue;
    field.rewriteOutput?.(entity);
    const slot = slots[i] as Slot;
    // Copied first, because the owners modify the value.
    for (const other of slot.others) field.selection.merge(other, entity, 'copy');
    for (const owner of slot.owners) field.selection.merge(owner, entity, 'take');
  }
}

function malformed(serviceName: string): SubgraphError {
  return {
    message: `The subgraph "${serviceName}" returned a malformed response.`,
    extensions: { code: 'UPSTREAM_ERROR', serviceName },
  };
}

/**
 * Notes an entity that was omitted without an error, which would be a silent null. Whether it is missing is known at
 * the end, because objects of types without selections have no key either.
 */
function doubt(
  state: ExecutionState,
  field: EntityField,
  { incomplete }: Gathered,
  serviceName: string,
): void {
  const locations = new Map<object, ResponsePath[]>();
  for (const { pattern } of field.paths) locateEntities(state.data, pattern, locations);
  for (const entity of new Set(incomplete)) {
    for (const location of locations.get(entity) ?? [])
      state.doubts.push({ location, names: field.selection.names, serviceName });
  }
}

/** Translates a path such as `_entities.3.price` to the client's paths of that entity. */
function addErrors(
  state: ExecutionState,
  fields: readonly EntityField[],
  gathered: readonly Gathered[],
  result: SubgraphResult,
): void {
  const patterns = new Map(
    fields.flatMap((field) => field.paths.map(({ pattern }) => [pattern.join('.'), pattern] as const)),
  );
  const locations = new Map<object, ResponsePath[]>();
  for (const pattern of patterns.values()) locateEntities(state.data, pattern, locations);
  if (!isObject(result.data)) state.failedPaths.push(...patterns.values());

  for (const error of result.errors ?? []) {
    const [name, position, ...rest] = error.path ?? [];
    const index = fields.findIndex((field) => field.responseName === name);
    const slot = typeof position === 'number' ? gathered[index]?.slots[position] : undefined;
    if (slot === undefined) {
      state.failedPaths.push(...patterns.values());
      state.errors.push(toClientError(error, firstLocation(fields, gathered, locations)));
      continue;
    }
    const { renamed } = fields[index] as EntityField;
    const tail = rest.map((segment) =>
      typeof segment === 'string' ? (renamed.get(segment) ?? segment) : segment,
    );
    for (const entity of new Set([...slot.owners, ...slot.others])) {
      for (const location of locations.get(entity) ?? []) {
        state.errors.push(toClientError(error, [...location, ...tail]));
      }
    }
  }
}

/** Returns the location for the failure of a whole fetch: the first field that it should have provided. */
function firstLocation(
  fields: readonly EntityField[],
  gathered: readonly Gathered[],
  locations: ReadonlyMap<object, ResponsePath[]>,
): ResponsePath | undefined {
  for (let i = 0; i < fields.length; i++) {
    const entity = gathered[i]?.slots[0]?.owners[0];
    const location = entity === undefined ? undefined : locations.get(entity)?.[0];
    if (location !== undefined) return [...location, ...(fields[i]?.selection.names.slice(0, 1) ?? [])];
  }
  return undefined;
}
