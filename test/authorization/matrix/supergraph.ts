import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';

/** The supergraph, which states the guards and the links of every type. */
export const supergraph: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../../schema/supergraph.graphql', import.meta.url), 'utf8'),
  { assumeValidSDL: true },
);

/** Object type of this name. */
export function objectType(name: string): GraphQLObjectType {
  const type = supergraph.getType(name);
  if (!isObjectType(type)) throw new Error(`The supergraph has no object type ${name}.`);
  return type;
}

/** Whether a field is null only with an error. */
export function isSemanticNonNull({ astNode }: GraphQLField<unknown, unknown>): boolean {
  return astNode?.directives?.some(({ name }) => name.value === 'semanticNonNull') ?? false;
}
