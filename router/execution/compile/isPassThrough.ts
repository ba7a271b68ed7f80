import type { PlanNode } from '@graphql-hive/router-query-planner';
import {
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isLeafType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Transport } from '../../transport/Transport.ts';
import { collectFields } from '../operation/collectFields.ts';
import { fragmentsOf } from '../operation/filterRootFields.ts';
import { operationOf } from './compileRequest.ts';

interface Shape {
  readonly fragments: ReturnType<typeof fragmentsOf>;
  readonly selectionSets: readonly SelectionSetNode[];
}

interface Schemas {
  readonly api: GraphQLSchema;
  readonly supergraph: GraphQLSchema;
}

/**
 * Returns whether the whole operation is one fetch whose response is the client's response. It has the same fields in
 * the same order, contains nothing that the API schema hides, and comes from a conforming transport. Abstract types
 * never qualify, because their selection depends on the runtime type.
 */
export function isPassThrough(
  node: PlanNode,
  fetched: DocumentNode,
  client: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode },
  transport: Transport,
  schemas: Schemas,
): boolean {
  if (node.kind !== 'Fetch' || !transport.conforming || (node.outputRewrites?.length ?? 0) > 0) return false;
  const root = schemas.api.getRootType(client.operation.operation);
  if (root == null) return false;
  return haveSameShape(
    schemas,
    root,
    { fragments: fragmentsOf(client.document), selectionSets: [client.operation.selectionSet] },
    { fragments: fragmentsOf(fetched), selectionSets: [operationOf(fetched).selectionSet] },
  );
}

function haveSameShape(schemas: Schemas, type: GraphQLObjectType, client: Shape, fetched: Shape): boolean {
  const collect = (shape: Shape) => collectFields(schemas.api, shape.fragments, type, shape.selectionSets);
  const wanted = collect(client);
  const given = collect(fetched);
  if (wanted.length !== given.length) return false;
  return wanted.every((field, i) => {
    const other = given[i];
    const fieldName = field.node.name.value;
    if (field.responseName !== other?.responseName || fieldName !== other.node.name.value) return false;
    if (fieldName === '__typename') return true;
    const definition = type.getFields()[fieldName];
    if (definition === undefined) return false;
    const named = getNamedType(definition.type);
    if (isEnumType(named)) return hasNoHiddenValue(schemas, named.name);
    if (isLeafType(named)) return true;
    return (
      isObjectType(named) &&
      haveSameShape(
        schemas,
        named,
        { fragments: client.fragments, selectionSets: field.selectionSets },
        { fragments: fetched.fragments, selectionSets: other.selectionSets },
      )
    );
  });
}

function hasNoHiddenValue({ api, supergraph }: Schemas, name: string): boolean {
  const shown = api.getType(name);
  const all = supergraph.getType(name);
  return isEnumType(shown) && isEnumType(all) && shown.getValues().length === all.getValues().length;
}
