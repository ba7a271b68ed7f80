import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { fragmentsOf, responseNameOf } from '../operation/filterRootFields.ts';
import { isObject, type ResponseObject } from './ExecutionState.ts';
import type { TypeConditions } from './TypeConditions.ts';

/**
 * Whether nested objects of a response become part of the target or are copied. An entity that occurs at two places of
 * the operation needs a copy, because these places may select different data under one name.
 */
export type Ownership = 'take' | 'copy';

/** Merges the response of a subgraph into the data of the same object. */
export type Merge = (target: ResponseObject, source: ResponseObject, ownership: Ownership) => void;

export interface CompiledMerge {
  readonly merge: Merge;
  /** Response names that the fetch provides. */
  readonly names: readonly string[];
}

interface MergeField {
  readonly name: string;
  /** Null for leaves. They are assigned as a whole, because a JSON scalar may be an object. */
  children: Map<string, MergeField> | null;
}

/**
 * Compiles a merge that follows the selections of a fetch, never the members of a response. A subgraph therefore cannot
 * add members, and values of custom scalars are neither traversed nor changed.
 *
 * @param entryField the root field whose selections describe `source`; null for the whole operation
 */
export function compileMerge(
  document: DocumentNode,
  entryField: string | null,
  renamed: ReadonlyMap<string, string>,
  conditions: TypeConditions,
): CompiledMerge {
  const fragments = fragmentsOf(document);
  const root = new Map<string, MergeField>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      collect(definition.selectionSet, fragments, renamed, root);
    }
  }
  const fields =
    (entryField === null ? root : root.get(entryField)?.children) ?? new Map<string, MergeField>();
  return {
    merge: compileFields(fields, conditions),
    names: [...fields.keys()].filter((name) => name !== '__typename'),
  };
}

function collect(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  renamed: ReadonlyMap<string, string>,
  into: Map<string, MergeField>,
): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) {
      const responseName = responseNameOf(selection);
      const name = renamed.get(responseName) ?? responseName;
      const known = into.get(name) ?? { name, children: null };
      into.set(name, known);
      if (selection.selectionSet !== undefined) {
        known.children ??= new Map();
        collect(selection.selectionSet, fragments, renamed, known.children);
      }
      continue;
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet;
    if (inner !== undefined) collect(inner, fragments, renamed, into);
  }
}

function compileFields(fields: ReadonlyMap<string, MergeField>, conditions: TypeConditions): Merge {
  const steps = [...fields.values()].map((field): Merge => {
    const { name } = field;
    if (name === '__typename') return (target, source) => mergeTypename(target, source, conditions);
    if (field.children === null) return (target, source) => assign(target, source, name);
    const mergeChild = compileFields(field.children, conditions);
    return (target, source, ownership) => {
      target[name] = mergeValues(target[name], source[name], ownership, mergeChild);
    };
  });
  return (target, source, ownership) => {
    for (const step of steps) step(target, source, ownership);
  };
}

/** Merges `__typename`. A subgraph that knows only the interface of an entity must not replace the object type. */
function mergeTypename(target: ResponseObject, source: ResponseObject, conditions: TypeConditions): void {
  const known = target.__typename;
  if (typeof known === 'string' && conditions.isObjectType(known)) return;
  assign(target, source, '__typename');
}

/** Assigns a value. A null never replaces a value, because another subgraph responded while this one failed. */
function assign(target: ResponseObject, source: ResponseObject, name: string): void {
  const value = source[name];
  if (value === undefined || (value === null && target[name] !== undefined)) return;
  target[name] = value;
}

function mergeValues(target: unknown, source: unknown, ownership: Ownership, mergeChild: Merge): unknown {
  if (source === undefined || source === null) return target === undefined ? source : target;
  if (target === undefined || target === null) {
    return ownership === 'take' ? source : copyValue(source, mergeChild);
  }
  if (Array.isArray(target) && Array.isArray(source)) {
    for (let i = 0; i < source.length; i++) {
      target[i] = mergeValues(target[i], source[i], ownership, mergeChild);
    }
  } else if (isObject(target) && isObject(source)) {
    mergeChild(target, source, ownership);
  }
  return target;
}

function copyValue(source: unknown, mergeChild: Merge): unknown {
  if (Array.isArray(source)) return source.map((item) => copyValue(item, mergeChild));
  if (!isObject(source)) return source;
  const target: ResponseObject = {};
  mergeChild(target, source, 'copy');
  return target;
}
