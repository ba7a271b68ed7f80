import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { AppError } from './AppError.ts';

const databaseErrors: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  // There is a database, and too many wait for a connection to it.
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);

/**
 * What a client may see of an error of an execution: an AppError as it is, trouble of the database as 503, a fault of
 * the document with its code, and everything else, which is a bug, masked and logged. Never a stack, a path, a host or a
 * library's text.
 */
export function toPublicError(error: unknown, log: Logger, requestId?: string): GraphQLError {
  const graphqlError =
    error instanceof GraphQLError
      ? error
      : new GraphQLError('Internal error.', {
          originalError: error instanceof Error ? error : new Error(String(error)),
        });
  const { originalError } = graphqlError;
  if (!originalError || originalError instanceof GraphQLError) return withCode(graphqlError);
  const known = originalError instanceof AppError ? originalError : toAppError(originalError, log, requestId);
  return new GraphQLError(known.message, {
    nodes: graphqlError.nodes ?? null,
    path: graphqlError.path ?? null,
    extensions: known.extensions,
  });
}

/** A fault of the document that is found during execution, such as a literal that its scalar refuses, has no code yet. */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error;
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    extensions: { ...error.extensions, code: 'BAD_USER_INPUT' },
  });
}

function toAppError(error: Error, log: Logger, requestId: string | undefined): AppError {
  if (databaseErrors.has(error.name)) {
    log.error({ err: error, requestId }, 'database unavailable');
    return new AppError('unavailable', 'The database cannot be reached right now; try again shortly.', {
      retryAfter: 5,
    });
  }
  log.error({ err: error, requestId }, 'unexpected error');
  return new AppError('internal_error', 'Something went wrong on our side. The request id helps us find it.');
}
