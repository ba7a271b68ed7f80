import { type GraphQLSchema, Kind, type OperationTypeNode } from 'graphql';

/** Limits of `@guard__limits` on a root field; absent members have the router's defaults. */
export interface RootFieldLimits {
  /** Items of one input list. */
  readonly arrays?: number;
  /** Bytes of a request body. */
  readonly bodyBytes?: number;
  /** Deadline of the subgraph's answer. */
  readonly timeoutMs?: number;
}

const none: RootFieldLimits = {};

/** Reads `@guard__limits(arrays: Int, bodyBytes: Int, timeoutMs: Int)` of a root field in the supergraph. */
export function readRootFieldLimits(
  supergraph: GraphQLSchema,
  operationType: OperationTypeNode,
  fieldName: string,
): RootFieldLimits {
  const field = supergraph.getRootType(operationType)?.getFields()[fieldName];
  const directive = field?.astNode?.directives?.find((node) => node.name.value === 'guard__limits');
  if (directive === undefined) return none;
  const limits: Record<string, number> = {};
  for (const { name, value } of directive.arguments ?? []) {
    if (value.kind === Kind.INT) limits[name.value] = Number(value.value);
  }
  return limits;
}

/** Returns the limits of an operation with several root fields: the most generous of each kind. */
export function combineRootFieldLimits(
  supergraph: GraphQLSchema,
  operationType: OperationTypeNode,
  fieldNames: readonly string[],
): RootFieldLimits {
  const stated = fieldNames.map((name) => readRootFieldLimits(supergraph, operationType, name));
  const combined: Record<string, number> = {};
  for (const kind of ['arrays', 'bodyBytes', 'timeoutMs'] as const) {
    const values = stated.flatMap((limits) => limits[kind] ?? []);
    if (values.length > 0) combined[kind] = Math.max(...values);
  }
  return combined;
}
