import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { isStorageFull, storageFullAdvice } from '../../../schema/storageFull.ts';
import { unknownOutcomeAdvice } from '../../../schema/upstreamProblems.ts';
import { AppError } from './AppError.ts';
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts';

/** Origin of an error. */
export interface ErrorOrigin {
  readonly requestId?: string | undefined;
  /** Whether it ended the execution of a mutation, which may have written. */
  readonly isWrite?: boolean;
}

/**
 * Returns what a client may see of an execution error. An AppError is unchanged, a database failure is a 503, a full
 * storage a 507, and an invalid document keeps its code. Everything else is a bug, which is masked and logged. Stack traces,
 * paths, hosts and texts of libraries are never returned.
 */
export function toPublicError(error: unknown, log: Logger, origin: ErrorOrigin = {}): GraphQLError {
  const graphqlError =
    error instanceof GraphQLError
      ? error
      : new GraphQLError('Internal error.', {
          originalError: error instanceof Error ? error : new Error(String(error)),
        });
  const { originalError } = graphqlError;
  if (!originalError || originalError instanceof GraphQLError) return withCode(graphqlError);
  const known = originalError instanceof AppError ? originalError : toAppError(originalError, log, origin);
  return new GraphQLError(known.message, {
    nodes: graphqlError.nodes ?? null,
    path: graphqlError.path ?? null,
    extensions: known.extensions,
  });
}

/**
 * Adds a code to an error of the document that is found during execution, such as a literal that its scalar refuses.
 */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error;
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    path: error.path ?? null,
    extensions: { ...error.extensions, code: 'BAD_USER_INPUT' },
  });
}

function toAppError(error: Error, log: Logger, { requestId, isWrite = false }: ErrorOrigin): AppError {
  if (isDatabaseUnavailable(error)) {
    log.error({ err: error, requestId }, 'database unavailable');
    const detail = 'The database is not available. Retry after the time in `Retry-After`.';
    return new AppError('unavailable', isWrite ? `${detail} ${unknownOutcomeAdvice}` : detail, {
      retryAfter: 5,
      ...(isWrite ? { outcome: 'unknown' } : {}),
    });
  }
  if (isStorageFull(error)) {
    log.error({ err: error, requestId }, 'storage full');
    return new AppError('insufficient_storage', storageFullAdvice);
  }
  log.error({ err: error, requestId }, 'unexpected error');
  return new AppError('internal_error', 'An internal error occurred. Report it with the request id.');
}
