import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { Variables } from '../transport/Transport.ts';
import { withCode } from './requestErrors.ts';

export type CoerceVariables = (
  raw: Variables | null | undefined,
) => { readonly variables: Variables } | { readonly errors: readonly GraphQLError[] };

const maxErrors = 20;

/**
 * Coerces the variables of one operation against the API schema, once for all subgraphs. Variables that the
 * operation does not declare are dropped. Errors carry `BAD_USER_INPUT`.
 */
export function compileVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): CoerceVariables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) {
    const none = { variables: Object.freeze({}) };
    return () => none;
  }
  return (raw) => {
    const { coerced, errors } = getVariableValues(schema, definitions, raw ?? {}, { maxErrors });
    if (errors === undefined) return { variables: coerced };
    return { errors: errors.map((error) => withCode(error, 'BAD_USER_INPUT')) };
  };
}
