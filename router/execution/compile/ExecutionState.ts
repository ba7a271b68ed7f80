import type { GraphQLError } from 'graphql';
import type { SubgraphContext, Variables } from '../../transport/Transport.ts';

export type ResponseObject = Record<string, unknown>;
export type ResponsePath = readonly (string | number)[];

/** An error found while projecting. Its path is collected innermost first, while the recursion unwinds. */
export interface PendingError {
  readonly message: string;
  readonly reversedPath: (string | number)[];
  /** A null that another error may already explain; it is then not reported a second time. */
  readonly isNullViolation: boolean;
}

/** An entity that was not fetched is an error only if the client requested the missing fields. */
export interface Doubt {
  readonly location: ResponsePath;
  /** Response names of the requested fields of the entity. */
  readonly names: readonly string[];
  readonly serviceName: string;
}

/** Mutable state of one execution of a prepared operation. */
export interface ExecutionState {
  /** Merged data of the subgraphs so far, by the response names of the planned document. */
  data: ResponseObject | null;
  readonly errors: GraphQLError[];
  /** Paths whose fetch failed: nulls below them have an error. `@` matches every list index. */
  readonly failedPaths: ResponsePath[];
  readonly pending: PendingError[];
  readonly doubts: Doubt[];
  readonly variables: Variables;
  readonly context: SubgraphContext;
}

/** A compiled plan node. Returns undefined if it finished synchronously. */
export type PlanStep = (state: ExecutionState) => Promise<void> | undefined;

export function createState(variables: Variables, context: SubgraphContext): ExecutionState {
  return { data: null, errors: [], failedPaths: [], pending: [], doubts: [], variables, context };
}

export function isObject(value: unknown): value is ResponseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
