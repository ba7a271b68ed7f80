import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import type { ProblemDetails } from '../../schema/Problem.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { toPublicError } from '../../subgraphs/platform/errors/toPublicError.ts';
import { withProblem } from '../../subgraphs/platform/errors/withProblem.ts';
import type { Router } from '../createRouter.ts';
import { sendGraphql } from './sendJson.ts';

/**
 * Sends a failure outside an execution as a GraphQL response: an unknown host, a refused token, an unreadable body.
 *
 * @param context of the request, if it has one
 */
export function sendFailure(
  { log }: Pick<Router, 'log'>,
  response: ServerResponse,
  error: unknown,
  context: RequestContext | undefined,
): void {
  // The response has started, so no error can be sent; the client sees that it is truncated.
  if (response.headersSent) return void response.destroy();
  const cause = new GraphQLError('failure', { originalError: toAppError(error) });
  const failure = toPublicError(cause, log, { requestId: context?.requestId });
  const { status = 500 } = (failure.extensions.http as { status?: number }) ?? {};
  if (status === 401) {
    const challenge = (failure.extensions.problem as { challenge?: string }).challenge;
    const realm = context?.installation.id ?? 'trigate';
    response.setHeader('WWW-Authenticate', `Bearer realm="${realm}"${challenge ? `, ${challenge}` : ''}`);
  }
  const { retryAfter } = (failure.extensions.problem ?? {}) as ProblemDetails;
  if (retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(retryAfter));
  const shown = context ? withProblem(failure, context) : failure;
  sendGraphql(response, status, { errors: [shown.toJSON()] });
}

const bodyFaults: Readonly<Record<string, AppError>> = {
  'encoding.unsupported': new AppError('unsupported_media_type', 'This content encoding is not supported.'),
  'charset.unsupported': new AppError('unsupported_media_type', 'The body must be encoded as UTF-8.'),
};

function toAppError(error: unknown): Error {
  if (error instanceof AppError) return error;
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.too.large')
    return new AppError('payload_too_large', `The body must have at most ${limit} bytes.`);
  if (type && bodyFaults[type]) return bodyFaults[type];
  if (status !== undefined && status < 500)
    return new AppError('malformed_request', 'The request could not be read.');
  return error as Error;
}
