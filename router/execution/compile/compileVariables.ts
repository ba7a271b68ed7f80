import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import type { CheckVariableLimits } from '../../limits/compileVariableLimits.ts';
import type { Variables } from '../../transport/Transport.ts';
import { withCode } from '../operation/requestErrors.ts';

export type CoerceVariables = (
  raw: Variables | null | undefined,
) => { readonly variables: Variables } | { readonly errors: readonly GraphQLError[] };

const maxErrors = 20;

/** Options for variables. */
export interface VariableOptions {
  /** Client's name of a variable -> safe name, if they differ. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether refusals keep names of the schema to themselves that the client did not state. */
  readonly hideSuggestions: boolean;
}

/**
 * Compiles the coercion of an operation's variables against the API schema, once for all subgraphs. Undeclared
 * variables are dropped. Limits are checked before. Errors have `BAD_USER_INPUT`.
 */
export function compileVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  checkLimits: CheckVariableLimits | null,
  { renamed, hideSuggestions }: VariableOptions,
): CoerceVariables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) {
    const none = { variables: Object.freeze({}) };
    return () => none;
  }
  return (raw) => {
    const given = raw ?? {};
    // Checked first, because coercion is recursive and must not get deeply nested values.
    const tooMuch = checkLimits?.(given);
    if (tooMuch !== undefined && tooMuch.length > 0) return { errors: tooMuch };
    const { coerced, errors } = getVariableValues(schema, definitions, given, {
      maxErrors,
      hideSuggestions,
    });
    if (errors === undefined) return { variables: renamed.size === 0 ? coerced : rename(coerced, renamed) };
    return { errors: errors.map((error) => withCode(error, 'BAD_USER_INPUT')) };
  };
}

function rename(variables: Variables, renamed: ReadonlyMap<string, string>): Variables {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [renamed.get(name) ?? name, value]),
  );
}
