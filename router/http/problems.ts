import type { GraphQLError } from 'graphql';
import type { Problem } from '../../schema/Problem.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';

/** Returns whether an operation was refused because of the state of the process, not because of its content. */
export function isBeyondUs({ extensions }: GraphQLError): boolean {
  return extensions.code === 'OVERLOADED' || extensions.code === 'PLANNER_UNAVAILABLE';
}

/** Returns the refusal of `graphql-http` in a body, which has a code but no reference to its request yet. */
export function findRefusal(body: string | null): AppError | undefined {
  if (body === null || !body.startsWith('{"errors"')) return undefined;
  const { errors } = JSON.parse(body) as { errors: { extensions?: { problem?: Partial<Problem> } }[] };
  const problem = errors[0]?.extensions?.problem;
  if (!problem?.code || problem.detail === undefined || 'requestId' in problem) return undefined;
  return new AppError(problem.code, problem.detail);
}
