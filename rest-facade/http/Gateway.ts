import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';

/** Members of a request that the facade reads first. */
export interface OpenOptions {
  /** Whether the route uses other authentication, so that `Authorization` is not parsed. */
  ignoreAuthorization: boolean;
  /** The route returns what the caller may see: refused members are null, which is not recorded. */
  partial?: boolean;
  /** Whether the path is also served at the issuer URL of the deployment, which has no installation (RFC 8414, 3). */
  answersAtIssuerRoot?: boolean;
  /** Method and path of the route, as OpenAPI names it. */
  route?: string;
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
  /**
   * Executes the operation. It never throws because of a request; failures are `errors` with `extensions.problem` or an
   * upstream code.
   */
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
 * The GraphQL engine of the facade; implemented by the router, injected at start. An error of a method reaches the
 * client as its `extensions.problem`, or as a masked 500 without one.
 */
export interface Gateway<Context> {
  /** The public schema: no federation machinery, no inaccessible types. */
  readonly apiSchema: GraphQLSchema;
  /** The composed schema; its fields carry the guard directives. */
  readonly supergraph: GraphQLSchema;
  /**
   * Prepares an operation; called once for each route at start. Rejects if the operation is invalid or cannot be
   * planned.
   */
  prepare(document: DocumentNode, operationName: string): Promise<Prepared<Context>>;
  /** Resolves the installation; the identity is resolved when it is first needed. */
  openContext(request: IncomingMessage, options: OpenOptions): Context | Promise<Context>;
  /** Returns whether the next request is to be rejected before its caller is identified. */
  isFull?(): boolean;
  /** Requires only an accepted identity, otherwise 401. For paths of A that do not exist. */
  authenticate(context: Context): void | Promise<void>;
  /**
   * Checks the static guards of the operation's root fields: identity 401, installation and state 403, permission 403,
   * step-up 401.
   */
  authorize(prepared: Prepared<Context>, context: Context): void | Promise<void>;
  /** Returns the id of the request's installation. */
  installationIdOf(context: Context): string;
  /** Returns the realm of `WWW-Authenticate`: the installation. */
  realmOf(context: Context): string;
  /** Returns the base URL of the installation without a trailing slash, never the request's `Host`. */
  baseUrlOf(context: Context): string;
  /** Returns whether the context is that of the issuer URL itself, which has keys and metadata but no sign-in. */
  isIssuerRoot(context: Context): boolean;
  answerOf(context: Context): AnswerNotes | undefined;
}
