import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A piece of work that is measured. Every member is of a set that the product fixes: names of its routes, operations,
 * subgraphs and collections, never what a client wrote. They are the labels of metrics, and a label with a free value
 * would be a new series for every value.
 */
export type Work =
  | {
      readonly kind: 'operation';
      readonly operation: string;
      readonly type: string;
      readonly planHash: string;
    }
  | { readonly kind: 'fetch'; readonly subgraph: string; readonly type: string };

/** What came of it: `ok`, `partial` (data and errors), `failed` (errors alone), or the router's code for a subgraph. */
export type Outcome =
  | 'ok'
  | 'partial'
  | 'failed'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_ERROR';

/** A finding of a cache of plans. */
export type PlanLookup = 'hit' | 'miss';

/**
 * What a process reports of its own work, to those of metrics, traces and log lines that are on. A process without
 * any has no telemetry, and nothing in the path of a request.
 */
export interface Telemetry {
  /** Measures one HTTP request until its answer is complete, or its client has left. */
  serve(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** Names the route of a request by its template, as soon as it is known; until then it is `none`. */
  nameRoute(response: ServerResponse, template: string): void;
  /** Measures work inside a request; its result and its failure pass unchanged. */
  observe<T>(
    work: Work,
    requestId: string,
    outcomeOf: (result: T) => Outcome,
    run: () => T | Promise<T>,
  ): T | Promise<T>;
  notePlan(lookup: PlanLookup): void;
  /** W3C trace context of the work that is under way, for requests to other processes. */
  outgoingHeaders(): Readonly<Record<string, string>>;
}
