import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';

/** Members of a request that the facade reads first. */
export interface OpenOptions {
  /** The route proves itself in another way: `Authorization` is not even parsed. */
  ignoreAuthorization: boolean;
  /** The route returns what the caller may see: refused members are null, which is not recorded. */
  partial?: boolean;
  /** The path is answered at the issuer URL of the deployment, too, where no installation is (RFC 8414, 3). */
  answersAtIssuerRoot?: boolean;
  /** Id that `X-Request-Id`, problems and logs of this request carry. */
  requestId: string;
  /** Closes before it is finished when the client leaves: the source of an abort signal. */
  response: ServerResponse;
}

/** Notes of an execution for the HTTP response. */
export interface AnswerNotes {
  /** The answer is the stored one of an earlier request with this `Idempotency-Key`. */
  idempotentReplayed?: boolean;
  /** Values of `RateLimit` and `RateLimit-Policy` (IETF draft), already formatted. */
  rateLimit?: string;
  rateLimitPolicy?: string;
  /** Value of `Server-Timing` (W3C), already formatted. */
  serverTiming?: string;
}

/** An operation that was validated, planned and compiled at start. */
export interface Prepared<Context> {
  /** Never throws because of a request; failures are `errors` with `extensions.problem` or an upstream code. */
  execute(variables: Record<string, unknown>, context: Context): ExecutionResult | Promise<ExecutionResult>;
  /** Executes a subscription. Returns a single result if it does not start. */
  subscribe(variables: Record<string, unknown>, context: Context): Promise<ExecutionResult | ResultStream>;
}

/** Results until the source ends, or is left. */
export interface ResultStream extends AsyncIterable<ExecutionResult> {
  next(): Promise<IteratorResult<ExecutionResult, undefined>>;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/**
 * The GraphQL engine as the facade needs it; implemented by the router, injected at start. Whatever a method
 * throws reaches the client as `extensions.problem` of the error, and as a masked 500 without it.
 */
export interface Gateway<Context> {
  /** The public schema: no federation machinery, no inaccessible types. */
  readonly apiSchema: GraphQLSchema;
  /** The composed schema; its fields carry the guard directives. */
  readonly supergraph: GraphQLSchema;
  /** Called once per route at start; rejects if the operation is invalid or cannot be planned. */
  prepare(document: DocumentNode, operationName: string): Promise<Prepared<Context>>;
  /** Resolves the installation; the identity is resolved when it is first needed. */
  openContext(request: IncomingMessage, options: OpenOptions): Context | Promise<Context>;
  /** Whether the next request is to be rejected before its caller is looked up. */
  isFull?(): boolean;
  /** Demands an accepted identity and nothing more: 401 otherwise. For paths of A that do not exist. */
  authenticate(context: Context): void | Promise<void>;
  /** Static guards of the operation's root fields: identity 401, installation and state 403, permission 403, step-up 401. */
  authorize(prepared: Prepared<Context>, context: Context): void | Promise<void>;
  /** Id of the installation that the request belongs to. */
  installationIdOf(context: Context): string;
  /** Realm of `WWW-Authenticate`: the installation. */
  realmOf(context: Context): string;
  /** Base URL of the installation without a trailing slash, never the request's `Host`. */
  baseUrlOf(context: Context): string;
  /** Whether the context is that of the issuer URL itself, which has keys and metadata and no sign-in. */
  isIssuerRoot(context: Context): boolean;
  answerOf(context: Context): AnswerNotes | undefined;
}
