import { type GraphQLSchema, isObjectType } from 'graphql';
import type { Connection } from '../pagination/findPage.ts';

/** Resolves `edges` of every list by its nodes and the cursors of its page. */
export function resolveEdges(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    const { nodes, edges } = isObjectType(type) ? type.getFields() : {};
    if (nodes && edges) edges.resolve ??= toEdges;
  }
  return schema;
}

function toEdges({ nodes, pageInfo }: Connection<unknown>): object[] {
  return nodes.map((node, index) => ({ node, cursor: pageInfo.cursorAt(index) }));
}
