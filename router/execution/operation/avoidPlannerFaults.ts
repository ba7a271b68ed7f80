import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  GraphQLID,
  type GraphQLSchema,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { responseNameOf } from './filterRootFields.ts';

/** An operation in a form that the query planner handles correctly. */
export interface SafeDocuments {
  /** The operation with safe numbers and safe names of variables; response names are the client's. */
  readonly clientDocument: DocumentNode;
  /** `clientDocument` with safe response names. */
  readonly safeDocument: DocumentNode;
  /** Client's name of a variable -> safe name, if they differ. */
  readonly safeVariables: ReadonlyMap<string, string>;
  /** Response name in `safeDocument` -> client's response name, where they differ. */
  readonly clientNames: ReadonlyMap<string, string>;
}

interface Schema {
  readonly apiSchema: GraphQLSchema;
  /** Names of all fields of the supergraph. */
  readonly fieldNames: ReadonlySet<string>;
}

/**
 * Rewrites valid operations that the pinned query planner handles wrongly. `plannerFaults.unit.test.ts` reproduces each
 * fault; a rewrite whose reproduction no longer fails can be deleted.
 *
 * @param document the operation with its fragments, valid for the schema
 * @returns an error for a number beyond the range of floats, which JSON cannot represent
 */
export function avoidPlannerFaults(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { apiSchema, fieldNames }: Schema,
): SafeDocuments | GraphQLError {
  const readable = rewriteNumbers(document, apiSchema);
  if (readable instanceof GraphQLError) return readable;
  const { document: clientDocument, names: safeVariables } = renameVariable(readable, operation);
  const { document: safeDocument, names: clientNames } = renameAliases(clientDocument, fieldNames);
  return { clientDocument, safeDocument, safeVariables, clientNames };
}

interface Renamed {
  readonly document: DocumentNode;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Rewrites numbers, because the planner reads only 64-bit integers and floats with a decimal point. An id that is
 * written as an integer becomes a string, any other wide integer a float.
 */
function rewriteNumbers(document: DocumentNode, schema: GraphQLSchema): DocumentNode | GraphQLError {
  const typeInfo = new TypeInfo(schema);
  const beyond: GraphQLError[] = [];
  const assertFinite = (node: { readonly value: string }) => {
    if (Number.isFinite(Number(node.value))) return;
    const message = 'A number must be at most 1.7976931348623157e308 in size.';
    beyond.push(new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }));
  };
  const rewritten = visit(
    document,
    visitWithTypeInfo(typeInfo, {
      IntValue(node) {
        const type = typeInfo.getInputType();
        if (type != null && getNamedType(type) === GraphQLID) return { kind: Kind.STRING, value: node.value };
        assertFinite(node);
        if (BigInt.asIntN(64, BigInt(node.value)) === BigInt(node.value)) return undefined;
        return { kind: Kind.FLOAT, value: `${node.value}.0` };
      },
      FloatValue: assertFinite,
    }),
  );
  return beyond[0] ?? rewritten;
}

/** Renames the client's variable `$representations`, which the planner declares itself. */
function renameVariable(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Renamed {
  const declared = variableDefinitions.map((node) => node.variable.name.value);
  if (!declared.includes('representations')) return { document, names: new Map() };
  let safeName = 'clientRepresentations';
  while (declared.includes(safeName)) safeName = `x${safeName}`;
  const renamed = visit(document, {
    Variable: ({ name, ...node }) =>
      name.value === 'representations' ? { ...node, name: { kind: Kind.NAME, value: safeName } } : undefined,
  });
  return { document: renamed, names: new Map([['representations', safeName]]) };
}

/**
 * Renames aliases that are also the name of a field. In `{ me { id: nickname orders { sum } } }` the nickname would be
 * stored under `id` before `id` is read as the key of `me`, and the client could choose which entity the next subgraph
 * loads. Aliases with a leading underscore could forge `__typename` or collide with the planner's own aliases.
 */
function renameAliases(document: DocumentNode, fieldNames: ReadonlySet<string>): Renamed {
  const used = new Set<string>();
  const risky = new Set<string>();
  visit(document, {
    Field(node) {
      used.add(responseNameOf(node));
      if (isRisky(node, fieldNames)) risky.add(responseNameOf(node));
    },
  });
  if (risky.size === 0) return { document, names: new Map() };

  let prefix = 'renamed';
  const isTaken = (name: string) => used.has(prefix + name) || fieldNames.has(prefix + name);
  while ([...risky].some(isTaken)) prefix = `x${prefix}`;
  const renamed = visit(document, {
    Field(node) {
      if (!isRisky(node, fieldNames)) return undefined;
      return { ...node, alias: { kind: Kind.NAME, value: prefix + responseNameOf(node) } };
    },
  });
  return { document: renamed, names: new Map([...risky].map((name) => [prefix + name, name])) };
}

function isRisky(node: FieldNode, fieldNames: ReadonlySet<string>): boolean {
  const name = responseNameOf(node);
  // Subgraph data is merged in plain objects, in which these names always exist.
  if (name in Object.prototype) return true;
  if (name === node.name.value) return false;
  return name.startsWith('_') || fieldNames.has(name);
}
