import type { RequestContext } from './RequestContext.ts';

/** Variables of a question: the records, and others that its operation declares. */
export interface QuestionVariables {
  readonly representations: readonly { readonly __typename: string; readonly id: string }[];
  readonly [name: string]: unknown;
}

/**
 * Asks a subgraph with the caller's identity, one level deeper. Returns an entity for each record, in the same order.
 */
export type Ask = (
  variables: QuestionVariables,
  context: RequestContext,
) => Promise<{ readonly _entities: readonly unknown[] }>;

/** Query between subgraphs about records. */
export interface Question {
  /** Name of the subgraph that is asked, as in `supergraph.yaml`. */
  readonly subgraph: string;
  /** Its operation, which selects `_entities(representations: $representations)`. */
  readonly document: string;
}

/** Transport of all questions: in this process, or to the address of the subgraph. */
export type AskSubgraph = (question: Question, ...call: Parameters<Ask>) => ReturnType<Ask>;
