import type { DocumentNode, OperationTypeNode } from 'graphql';

/**
 * Members of a request that every transport reads. The caller can pass a larger object: a local transport passes it to
 * the resolvers, an HTTP transport reads only these members.
 */
export interface SubgraphContext {
  /** Aborted when the client went away or the request's deadline passed. */
  readonly signal?: AbortSignal | undefined;
  /** Until when the whole execution has to be answered, on the clock of `performance.now()`; unset: no limit. */
  readonly deadlineAt?: number | undefined;
  /** W3C Trace Context header value, forwarded as it is. */
  readonly traceparent?: string | undefined;
  /** Context in which each event of a subscription is executed, instead of the context of its start. */
  forEvent?(): SubgraphContext;
}

export type Variables = Readonly<Record<string, unknown>>;

/** An error as a subgraph reports it: a `GraphQLError` in process, its JSON form over HTTP. */
export interface SubgraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly originalError?: Error | null | undefined;
}

/** Member of `extensions` of an error whose write may have taken effect: its outcome is unknown. */
export const unknownOutcome = { outcome: 'unknown' } as const;

/**
 * What is left of a fetch's own time when its request has to be answered, in whole milliseconds. Rounded up, as timers
 * may be early: what ends at the deadline must end behind it, or one more fetch would begin.
 */
export function timeLeft(timeoutMs: number, { deadlineAt }: SubgraphContext): number {
  if (deadlineAt === undefined) return timeoutMs;
  return Math.min(timeoutMs, Math.max(0, Math.ceil(deadlineAt - performance.now())) + 1);
}

export interface SubgraphResult {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
}

/** One compiled operation. It answers at once when nothing in it has to wait. */
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
  /** Known at start-up and certain to run often: worth every preparation now. */
  readonly eager?: boolean | undefined;
  /** False forbids a transport to compile JavaScript from the operation. */
  readonly jit?: boolean | undefined;
  /** Replaces the transport's deadline: the longest `@limits(timeoutMs:)` of the root fields fetched. */
  readonly timeoutMs?: number | undefined;
}

/** Transport to one subgraph. */
export interface Transport {
  /**
   * True when answers are certain to have exactly the shape of the document (the subgraph is executed by a
   * GraphQL engine in this process). Only such answers may be passed to the client without a projection.
   */
  readonly conforming: boolean;
  /** Called once per operation at preparation. `text` is the same document as source text. */
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
