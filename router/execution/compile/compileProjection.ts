import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type CollectedField, collectFields } from '../operation/collectFields.ts';
import { fragmentsOf } from '../operation/filterRootFields.ts';
import { type ExecutionState, isObject, type ResponseObject } from './ExecutionState.ts';

/** Returns the projected object; null if a null propagates to the parent (specification 6.4.4). */
export type Projection = (source: ResponseObject, state: ExecutionState) => ResponseObject | null;

type ProjectValue = (value: unknown, state: ExecutionState) => unknown;

interface FieldProjection {
  readonly sourceName: string;
  readonly clientName: string;
  /** `__typename` of the object being projected, known before the request. */
  readonly constant: string | null;
  readonly isNonNull: boolean;
  readonly coordinate: string;
  /** Projection of the value; null for leaves that are unchanged. */
  readonly project: ProjectValue | null;
}

interface Compilation {
  readonly schema: GraphQLSchema;
  readonly fragments: ReturnType<typeof fragmentsOf>;
  readonly clientNames: ReadonlyMap<string, string>;
}

/**
 * Compiles the client's operation to a function that projects its response from the merged subgraph data. The result
 * contains exactly the selected fields with the client's names and order, and nulls propagate to the nearest nullable
 * parent. Projections of a type are compiled when the type first occurs.
 */
export function compileProjection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  clientNames: ReadonlyMap<string, string>,
): Projection {
  const root = schema.getRootType(operation.operation);
  if (root == null) throw new GraphQLError(`The schema has no ${operation.operation} type.`);
  const compilation = { schema, fragments: fragmentsOf(document), clientNames };
  return compileObject(compilation, root, [operation.selectionSet]);
}

function compileObject(
  compilation: Compilation,
  type: GraphQLCompositeType,
  selectionSets: readonly SelectionSetNode[],
): Projection {
  const collected = collectFields(compilation.schema, compilation.fragments, type, selectionSets);
  const fields = collected.map((field) => compileField(compilation, type, field));
  // Only `{}` is fast; only an object without prototype can have a member with this name.
  const needsBareObject = fields.some((field) => field.clientName === '__proto__');

  return (source, state) => {
    const target: ResponseObject = needsBareObject ? Object.create(null) : {};
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as FieldProjection;
      if (field.constant !== null) {
        target[field.clientName] = field.constant;
        continue;
      }
      const value = projectField(field, source[field.sourceName], state);
      if (value === null && field.isNonNull) return null;
      target[field.clientName] = value;
    }
    return target;
  };
}

function projectField(field: FieldProjection, raw: unknown, state: ExecutionState): unknown {
  const { pending } = state;
  const before = pending.length;
  let value: unknown = null;
  if (raw !== null && raw !== undefined) {
    if (field.project === null) return raw;
    value = field.project(raw, state);
  }
  if (value === null && field.isNonNull && pending.length === before) reportNull(field.coordinate, state);
  for (let i = before; i < pending.length; i++) pending[i]?.reversedPath.push(field.sourceName);
  return value;
}

function reportNull(coordinate: string, state: ExecutionState): void {
  const message = `Cannot return null for non-nullable field ${coordinate}.`;
  state.pending.push({ message, reversedPath: [], isNullViolation: true });
}

function compileField(
  compilation: Compilation,
  parent: GraphQLCompositeType,
  collected: CollectedField,
): FieldProjection {
  const { responseName, selectionSets } = collected;
  const fieldName = collected.node.name.value;
  const clientName = compilation.clientNames.get(responseName) ?? responseName;
  const coordinate = `${parent.name}.${fieldName}`;
  const common = { sourceName: responseName, clientName, coordinate };
  if (fieldName === '__typename') return { ...common, constant: parent.name, isNonNull: true, project: null };
  // graphql-js resolves introspection on the API schema, so the result already has its final shape.
  if (fieldName === '__schema' || fieldName === '__type') {
    return { ...common, constant: null, isNonNull: false, project: null };
  }
  const type = 'getFields' in parent ? parent.getFields()[fieldName]?.type : undefined;
  if (type === undefined)
    throw new GraphQLError(`Cannot query field "${fieldName}" on type "${parent.name}".`);
  const isNonNull = isNonNullType(type);
  const project = compileValue(compilation, isNonNull ? type.ofType : type, coordinate, selectionSets);
  return { ...common, constant: null, isNonNull, project };
}

function compileValue(
  compilation: Compilation,
  type: GraphQLOutputType,
  coordinate: string,
  selectionSets: readonly SelectionSetNode[],
): ProjectValue | null {
  if (isListType(type)) return compileList(compilation, type.ofType, coordinate, selectionSets);
  if (isEnumType(type)) return compileEnum(type);
  if (isLeafType(type)) return null;
  if (isObjectType(type)) return compileObjectValue(compilation, type, selectionSets);
  if (isAbstractType(type)) return compileAbstract(compilation, type, selectionSets);
  throw new GraphQLError(`Cannot project the type ${String(type)}.`);
}

function compileList(
  compilation: Compilation,
  itemType: GraphQLOutputType,
  coordinate: string,
  selectionSets: readonly SelectionSetNode[],
): ProjectValue {
  const isNonNull = isNonNullType(itemType);
  const project = compileValue(
    compilation,
    isNonNull ? itemType.ofType : itemType,
    coordinate,
    selectionSets,
  );
  return (list, state) => {
    if (!Array.isArray(list)) return null;
    const { pending } = state;
    const target = new Array<unknown>(list.length);
    for (let i = 0; i < list.length; i++) {
      const raw: unknown = list[i];
      const before = pending.length;
      let value: unknown = null;
      if (raw !== null && raw !== undefined) value = project === null ? raw : project(raw, state);
      if (value === null && isNonNull && pending.length === before) reportNull(coordinate, state);
      for (let p = before; p < pending.length; p++) pending[p]?.reversedPath.push(i);
      if (value === null && isNonNull) return null;
      target[i] = value;
    }
    return target;
  };
}

/** Compiles an enum. An inaccessible or unknown value becomes null; the message does not contain it. */
function compileEnum(type: GraphQLEnumType): ProjectValue {
  const known = new Set<unknown>(type.getValues().map((value) => value.name));
  const message = `Enum "${type.name}" cannot represent the value of the subgraph.`;
  return (value, state) => {
    if (known.has(value)) return value;
    state.pending.push({ message, reversedPath: [], isNullViolation: false });
    return null;
  };
}

function compileObjectValue(
  compilation: Compilation,
  type: GraphQLObjectType,
  selectionSets: readonly SelectionSetNode[],
): ProjectValue {
  // Compiled on first use, because operations on wide schemas select much that a response never contains.
  let projection: Projection | null = null;
  return (value, state) => {
    if (!isObject(value)) return null;
    projection ??= compileObject(compilation, type, selectionSets);
    return projection(value, state);
  };
}

function compileAbstract(
  compilation: Compilation,
  type: GraphQLCompositeType,
  selectionSets: readonly SelectionSetNode[],
): ProjectValue {
  const byName = new Map<unknown, Projection | null>();
  const compile = (name: unknown): Projection | null => {
    // Only the interface's own fields are selected if the name is missing (not requested by the planner) or is that of
    // the interface (`@interfaceObject`).
    if (name === undefined || name === null || name === type.name) {
      return compileObject(compilation, type, selectionSets);
    }
    const possible = typeof name === 'string' ? compilation.schema.getType(name) : undefined;
    if (!isAbstractType(type) || !(isObjectType(possible) || isInterfaceType(possible))) return null;
    return compilation.schema.isSubType(type, possible)
      ? compileObject(compilation, possible, selectionSets)
      : null;
  };
  return (value, state) => {
    if (!isObject(value)) return null;
    const name = value.__typename;
    let projection = byName.get(name);
    if (projection === undefined) {
      projection = compile(name);
      if (byName.size < 1000) byName.set(name, projection);
    }
    return projection === null ? null : projection(value, state);
  };
}
