import type { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../context/RequestContext.ts';
import { type ErrorOrigin, toPublicError } from '../errors/toPublicError.ts';
import { withProblem } from '../errors/withProblem.ts';

/**
 * Returns what a subgraph that runs apart answers for an error. Our router adds URL and request id to the problem, and
 * reads the challenge for `WWW-Authenticate`. Another engine forwards errors unchanged, so they are completed here.
 */
export function toEdgeError(
  error: unknown,
  log: Logger,
  context: RequestContext,
  { isWrite = false }: Pick<ErrorOrigin, 'isWrite'> = {},
): GraphQLError {
  const masked = toPublicError(error, log, { requestId: context.requestId, isWrite });
  return context.forEngine ? withProblem(masked, context) : masked;
}
