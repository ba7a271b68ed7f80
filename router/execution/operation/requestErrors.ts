import { GraphQLError } from 'graphql';

/** Codes of errors that are found before anything is executed. */
export type RequestErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'BAD_USER_INPUT'
  | 'QUERY_PLAN_FAILED';

/** Returns the error with a code, unless it already has one. */
export function withCode(error: GraphQLError, code: RequestErrorCode): GraphQLError {
  if (error.extensions.code !== undefined) return error;
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: { ...error.extensions, code },
  });
}

export function requestError(message: string, code: RequestErrorCode): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
