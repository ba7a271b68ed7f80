import type { DocumentNode, OperationTypeNode } from 'graphql';

/**
 * Members of a request that every transport reads. The caller can pass a larger object: a local transport passes it to
 * the resolvers, an HTTP transport reads only these members.
 */
export interface SubgraphContext {
  /** Aborted if the client disconnects or the request's deadline passes. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline of the whole execution, on the clock of `performance.now()`; unset if there is none. */
  readonly deadlineAt?: number | undefined;
  /** W3C Trace Context header value, forwarded unchanged. */
  readonly traceparent?: string | undefined;
  /** Context in which each event of a subscription is executed, instead of the context of its start. */
  forEvent?(): SubgraphContext;
}

export type Variables = Readonly<Record<string, unknown>>;

/** An error of a subgraph: a `GraphQLError` in process, its JSON form over HTTP. */
export interface SubgraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly originalError?: Error | null | undefined;
}

/** Member of `extensions` of an error whose write may have succeeded, so that its outcome is unknown. */
export const unknownOutcome = { outcome: 'unknown' } as const;

/**
 * Returns the remaining time of a fetch until the request's deadline, in whole milliseconds. It is rounded up, because
 * timers may be early: a timer for the deadline must not fire before it, or another fetch would start.
 */
export function timeLeft(timeoutMs: number, { deadlineAt }: SubgraphContext): number {
  if (deadlineAt === undefined) return timeoutMs;
  return Math.min(timeoutMs, Math.max(0, Math.ceil(deadlineAt - performance.now())) + 1);
}

export interface SubgraphResult {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
}

/** One compiled operation. The result is synchronous if nothing in it has to wait. */
export type SubgraphRequest = (
  variables: Variables,
  context: SubgraphContext,
) => SubgraphResult | Promise<SubgraphResult>;

/** Events until the source ends, `return` is called, or the signal of the context is aborted. */
export type SubgraphEvents = AsyncIterable<SubgraphResult>;

export type SubgraphSubscription = (
  variables: Variables,
  context: SubgraphContext,
) => Promise<SubgraphResult | SubgraphEvents>;

export interface CompileOptions {
  /** Whether the operation is known at start and runs often, so that full preparation pays off. */
  readonly eager?: boolean | undefined;
  /** Whether a transport may compile the operation to JavaScript. */
  readonly jit?: boolean | undefined;
  /** Replaces the transport's deadline: the longest `@guard__limits(timeoutMs:)` of the root fields fetched. */
  readonly timeoutMs?: number | undefined;
}

/** Transport to one subgraph. */
export interface Transport {
  /**
   * Whether responses always have exactly the shape of the document, because a GraphQL engine in this process executes
   * the subgraph. Only such responses may be passed to the client without a projection.
   */
  readonly conforming: boolean;
  /** Compiles an operation; called once at its preparation. `text` is the same document as source text. */
  compile(
    document: DocumentNode,
    text: string,
    operationType: OperationTypeNode,
    options?: CompileOptions,
  ): SubgraphRequest;
  /** Absent when the transport cannot subscribe: such operations are refused at preparation. */
  compileSubscription?(document: DocumentNode, text: string): SubgraphSubscription;
  /** Releases connections. */
  close?(): Promise<void>;
}
