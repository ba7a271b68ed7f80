import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import type { RootFieldLimits } from '../limits/readRootFieldLimits.ts';
import type { EndableStream } from '../transport/mapEvents.ts';
import type { SubgraphContext, Variables } from '../transport/Transport.ts';

/** An operation that was parsed, validated, planned and compiled. It may be executed any number of times. */
export interface Prepared {
  /** The client's document, unmodified. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly operationName: string | undefined;
  readonly operationType: OperationTypeNode;
  /** First 16 hex digits of the SHA-256 of the query plan: equal plans, equal hashes. */
  readonly planHash: string;
  /** Characters of the query plan as JSON. */
  readonly planLength: number;
  /** Combinations of the values of its conditions that stay compiled, at most. */
  readonly variants: number;
  /** Names (not aliases) of the root fields, each once, in document order, regardless of `@skip`. */
  readonly rootFields: readonly string[];
  /** The most generous `@guard__limits` of the root fields. */
  readonly rootFieldLimits: RootFieldLimits;
  /**
   * Executes a query or mutation. A failure of a subgraph is an error in the result and does not reject. The result is
   * synchronous if no subgraph had to wait.
   */
  execute(
    variables: Variables | null | undefined,
    context: SubgraphContext,
  ): ExecutionResult | Promise<ExecutionResult>;
  /** Executes a subscription; returns a single result instead of a stream if it cannot start. */
  subscribe(
    variables: Variables | null | undefined,
    context: SubgraphContext,
  ): Promise<ExecutionResult | EndableStream<ExecutionResult>>;
}

/** Reasons why an operation cannot be prepared. Every error has `extensions.code`. */
export interface Refused {
  readonly errors: readonly GraphQLError[];
}

/** Plans and executes operations on one supergraph. Immutable: a new supergraph is a new engine. */
export interface Engine {
  /** Schema that clients see, without `@inaccessible` members and guard directives. */
  readonly apiSchema: GraphQLSchema;
  /** The composed supergraph with all its directives (on `astNode`s). */
  readonly supergraph: GraphQLSchema;
  readonly subgraphNames: readonly string[];
  /**
   * Prepares operations that are known at start. They are compiled as far as possible, immediately and without a cache.
   * The document is not limited; the variables of every execution are.
   */
  prepareKnown(source: string | DocumentNode, operationName?: string | null): Promise<Prepared | Refused>;
  /** Prepares operations of clients. They are limited and cached; equal requests share one planning. */
  prepare(source: string | DocumentNode, operationName?: string | null): Promise<Prepared | Refused>;
  /** Returns the plan of an operation as text. */
  explain(prepared: Prepared): string;
  /** Closes the planner. Prepared operations stay executable; transports belong to the caller. */
  close(): void;
}
