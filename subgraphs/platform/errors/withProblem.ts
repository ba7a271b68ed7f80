import { GraphQLError } from 'graphql';
import { errorCodes, titleOf } from '../../../schema/errorCodes.ts';
import type { Problem, ProblemDetails } from '../../../schema/Problem.ts';
import { findUpstreamProblem } from '../../../schema/upstreamProblems.ts';

/** Request that an error belongs to. */
interface FailedRequest {
  readonly requestId: string;
  readonly installation: { readonly baseUrl: string };
}

/** Adds the problem to an error: the same object as in REST (RFC 9457), with its URL and the request's id. */
export function withProblem(error: GraphQLError, { requestId, installation }: FailedRequest): GraphQLError {
  const stated = (error.extensions?.problem ?? upstreamProblem(error)) as
    | (ProblemDetails & { code: string })
    | undefined;
  if (!stated) return error;
  const { challenge: _, ...members } = stated;
  const complete = {
    type: `${installation.baseUrl}/problems/${stated.code}`,
    ...members,
    instance: `urn:uuid:${requestId}`,
    requestId,
  };
  return new GraphQLError(error.message, {
    ...(error.path ? { path: error.path } : {}),
    extensions: { ...error.extensions, problem: complete },
  });
}

/** Returns the problem of a failed subgraph, which states none. It contains only what the client may know. */
function upstreamProblem({ extensions }: GraphQLError): Problem | undefined {
  const found = findUpstreamProblem(extensions);
  if (!found) return undefined;
  const { code, detail, members } = found;
  return { ...members, code, title: titleOf(code), status: errorCodes[code], detail };
}
